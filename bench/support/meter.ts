import { availableParallelism } from 'node:os';
import { canReadCpu, familyCpuSeconds, processCpuSeconds, treeCpuSeconds } from './cpu-time.js';
import type { LoadDriver } from './load-driver.js';
import type { AnyLoad, LoadResult } from './load.js';
import { readMachineCpu } from './machine-cpu.js';
import type { Sample } from './sample.js';

/** Process ids of a contestant. */
export interface MeteredProcesses {
  server: number;
  /** The postmaster; its children count. */
  postgres?: number | undefined;
}

type UnitFigures = Pick<Sample, 'serverCpuUs' | 'databaseCpuUs'>;
type NoiseFigures = Pick<Sample, 'otherCpu' | 'stolenCpu'>;

/** Drives a load and returns it as a sample. */
export function meterLoad(
  driver: LoadDriver,
  processes: MeteredProcesses,
  load: AnyLoad,
): Promise<Sample & LoadResult> {
  return meter(processes, () => driver.drive(load));
}

/** Runs the work and returns its result with the CPU time per unit and the noise. Without /proc, both are missing. */
export async function meter<T extends { count: number }>(
  processes: MeteredProcesses,
  work: () => Promise<T>,
): Promise<T & UnitFigures & NoiseFigures> {
  return meterNoise(async () => {
    if (!canReadCpu) return work();
    const before = readProcesses(processes);
    const result = await work();
    const after = readProcesses(processes);
    const micros = (seconds: number) => (seconds * 1e6) / result.count;
    const figures: UnitFigures = { serverCpuUs: micros(after.server - before.server) };
    if (processes.postgres !== undefined) figures.databaseCpuUs = micros(after.postgres - before.postgres);
    return { ...result, ...figures };
  });
}

/** Runs the work and returns its result with the CPU that others used meanwhile: processes that we have not started. */
export async function meterNoise<T extends object>(work: () => Promise<T>): Promise<T & NoiseFigures> {
  const machine = readMachineCpu();
  if (!canReadCpu || !machine) return work();
  const started = performance.now();
  const ours = treeCpuSeconds(process.pid);
  const result = await work();
  const capacity = ((performance.now() - started) / 1000) * availableParallelism();
  const after = readMachineCpu() ?? machine;
  const others = after.processes - machine.processes - (treeCpuSeconds(process.pid) - ours);
  const share = (seconds: number) => Math.max(0, seconds / capacity);
  return { ...result, otherCpu: share(others), stolenCpu: share(after.stolen - machine.stolen) };
}

const readProcesses = ({ server, postgres }: MeteredProcesses) => ({
  server: processCpuSeconds(server),
  postgres: postgres === undefined ? 0 : familyCpuSeconds(postgres),
});
