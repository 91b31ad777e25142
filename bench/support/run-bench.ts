import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { BenchOptions } from './bench-options.js';
import { comparisonResults, reportLines } from './bench-report.js';
import { canReadCpu } from './cpu-time.js';
import type { Group } from './group.js';
import { estimateSeconds, runGroup, type GroupResult } from './run-group.js';

/** Runs the groups one after the other, prints a table of each, and writes the samples if a file was asked for. */
export async function runBench(groups: readonly Group[], options: BenchOptions): Promise<GroupResult[]> {
  const seconds = groups.reduce((sum, group) => sum + estimateSeconds(group, options), 0);
  report(machineText());
  report(
    `${groups.map(({ name }) => name).join(', ')}: about ${durationText(seconds)}, more if rounds are noisy.`,
  );
  if (!canReadCpu)
    report('This system has no /proc: there are no CPU times, and noise is found by throughput alone.');
  const results: GroupResult[] = [];
  for (const group of groups) {
    const result = await runGroup(group, options, report);
    for (const line of reportLines(result)) console.log(line);
    results.push(result);
    // After each group, so that an interrupted run has the results until then.
    if (options.json !== undefined) writeJson(options.json, results);
  }
  return results;
}

/** Progress goes to standard error, so that the tables can be redirected to a file. */
function report(line: string): void {
  console.error(line);
}

function writeJson(file: string, results: readonly GroupResult[]): void {
  const groups = results.map((result) => ({
    name: result.group.name,
    title: result.group.title,
    comparisons: comparisonResults(result),
    rounds: result.rounds,
    noise: result.noise,
  }));
  writeFileSync(file, `${JSON.stringify({ machine: machineText(), groups }, null, 2)}\n`);
}

const machineText = (): string =>
  `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, Node ${process.version}`;

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
