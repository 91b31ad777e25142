import { runClosedLoop } from './closed-loop.js';
import type { AnyLoad, LoadResult } from './load.js';
import { runOpenLoop } from './open-loop.js';

// Runs loads in a process of its own, so that neither a server nor the program that measures waits for it.

export type LoadReply = { result: LoadResult } | { failure: string };

/** Above this share of a second without waiting, the load process is the bottleneck. */
const SATURATED_UTILIZATION = 0.97;
/** Requests of an open load that start later than this were held up by the load process. */
const SATURATED_LATENESS_MS = 5;

process.on('message', (load: AnyLoad) => {
  void run(load).then(
    (result) => process.send?.({ result } satisfies LoadReply),
    (error: unknown) =>
      process.send?.({ failure: error instanceof Error ? error.message : String(error) } satisfies LoadReply),
  );
});
process.once('disconnect', () => process.exit());

async function run(load: AnyLoad): Promise<LoadResult> {
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  const started = performance.now();
  const outcome = load.kind === 'closed' ? await runClosedLoop(load) : await runOpenLoop(load);
  const { user, system } = process.cpuUsage(cpu);
  const clientCores = (user + system) / 1000 / (performance.now() - started);
  // An open load polls while it waits, so its event loop is always busy.
  const saturated =
    'lateness' in outcome
      ? outcome.lateness.p99 > SATURATED_LATENESS_MS
      : performance.eventLoopUtilization(loop).utilization > SATURATED_UTILIZATION;
  return { ...outcome, clientCores, saturated };
}
