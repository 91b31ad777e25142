import { performance } from 'node:perf_hooks';
import type { Database } from '../../../packages/core/src/storage/database.js';
import type { Population } from '../population/population.js';
import type { Lookup } from './lookup.js';
import { faultOf } from './plan-fault.js';
import type { PlanRecorder, Reads } from './plan-recorder.js';

export interface LookupResult extends Reads {
  name: string;
  /** Median, with the time that PostgreSQL takes to write the plan. */
  milliseconds: number;
  /** The defect of its plan. */
  fault?: string;
}

/** PostgreSQL may take a plan for any parameters from the sixth run of a prepared statement on. */
const RUNS = 7;
/** Slow lookups run once. */
const MOST_SECONDS = 1;

interface LookupContext {
  database: Database;
  recorder: PlanRecorder;
  /** Connections of the database. */
  poolMax: number;
  isSmall: boolean;
}

/** Runs every lookup several times and judges what all of its statements read. */
export async function runLookups(
  lookups: readonly Lookup[],
  population: Population,
  { database, recorder, poolMax, isSmall }: LookupContext,
): Promise<LookupResult[]> {
  const results: LookupResult[] = [];
  for (const lookup of lookups) {
    await recorder.watch(database, poolMax);
    recorder.take();
    const { times, failure } = await repeat(() => lookup.run(population));
    const reads = recorder.take();
    const fault = failure ?? faultOf(reads, lookup, { isSmall });
    const milliseconds = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
    results.push({ name: lookup.name, milliseconds, ...reads, ...(fault !== undefined && { fault }) });
  }
  return results;
}

async function repeat(run: () => Promise<unknown>): Promise<{ times: number[]; failure?: string }> {
  const times: number[] = [];
  const begin = performance.now();
  while (times.length < RUNS && performance.now() - begin < MOST_SECONDS * 1000) {
    const started = performance.now();
    try {
      await run();
    } catch (error) {
      return { times: [performance.now() - started], failure: messageOf(error) };
    }
    times.push(performance.now() - started);
  }
  return { times };
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `FAILED: ${cause instanceof Error ? cause.message : String(cause)}`;
}
