import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedFault } from './fault-plan.js';
import type { FaultTarget, Heal } from './targets.js';

export interface InjectOptions {
  faults: readonly PlannedFault[];
  targets: readonly FaultTarget[];
  now: () => number;
  stop: AbortSignal;
  report: (line: string) => void;
}

/** Carries the faults out at their times, and heals each at its end. Returns the faults with their real times. */
export async function injectFaults(options: InjectOptions): Promise<PlannedFault[]> {
  return (await Promise.all(options.faults.map((fault) => injectFault(fault, options)))).filter(
    (fault) => fault !== undefined,
  );
}

async function injectFault(
  fault: PlannedFault,
  { targets, now, stop, report }: InjectOptions,
): Promise<PlannedFault | undefined> {
  const target = targets.find(({ part }) => part === fault.part);
  if (!target) throw new Error(`There is no part ${fault.part}.`);
  const until = (time: number) =>
    sleep(Math.max(0, time - now()), undefined, { signal: stop }).catch(() => undefined);
  await until(fault.startMs);
  if (stop.aborted) return undefined;
  const seconds = ((fault.endMs - fault.startMs) / 1000).toFixed(1);
  report(`   ${clock(fault.startMs)}  ${fault.kind.padEnd(6)}  ${fault.part}, for ${seconds} s`);
  const startMs = now();
  const heal: Heal = await target.begin(fault.kind);
  await until(fault.endMs);
  heal();
  return { ...fault, startMs, endMs: now() };
}

/** Returns minutes and seconds. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`.padStart(5);
}
