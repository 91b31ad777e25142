import { performance } from 'node:perf_hooks';
import { allowedMs } from './beside-probe.js';

const INTERVAL_MS = 25;
const KEPT_MS = 60_000;

interface Delay {
  at: number;
  milliseconds: number;
}

const delays: Delay[] = [];
let last = performance.now();

/** Runs as long as the process does, which it does not keep alive. */
setInterval(() => {
  const now = performance.now();
  delays.push({ at: now, milliseconds: Math.max(0, now - last - INTERVAL_MS) });
  last = now;
  while ((delays[0]?.at ?? now) < now - KEPT_MS) delays.shift();
}, INTERVAL_MS).unref();

/**
 * Returns the milliseconds that a promise of so many allows for what began at a time of the monotonic clock: longer on a
 * machine that let this process wait meanwhile.
 */
export const allowedSince = (start: number, promisedMs: number): number =>
  allowedMs(promisedMs, { probeMs: lagSince(start) });

/**
 * Returns by how many milliseconds a timer of this process was late at most since a time of the monotonic clock: how long
 * the machine, or other work of the process, let it wait.
 */
function lagSince(start: number): number {
  const overdue = performance.now() - last - INTERVAL_MS;
  const since = delays.filter(({ at }) => at >= start).map(({ milliseconds }) => milliseconds);
  return Math.max(0, overdue, ...since);
}
