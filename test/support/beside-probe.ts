import { setTimeout as sleep } from 'node:timers/promises';

export interface Measured<T> {
  result: T;
  /** Time that the work took. */
  milliseconds: number;
  /** The longest time of a probe meanwhile; next to nothing on a quiet machine. */
  probeMs: number;
}

const PAUSE_MS = 20;

/**
 * Measures work beside a small probe that is repeated until the work is done. `allowedMs` then separates the slowness of
 * the machine from that of the product, in tests of a promise like "within a second".
 * @param probe a request that needs the same processes as the work and waits for nothing.
 */
export async function besideProbe<T>(
  work: () => Promise<T>,
  probe: () => Promise<unknown>,
): Promise<Measured<T>> {
  const state = { isDone: false, probeMs: 0 };
  const start = performance.now();
  let milliseconds = NaN;
  const measured = work().finally(() => {
    milliseconds = performance.now() - start;
    state.isDone = true;
  });
  const [result] = await Promise.all([measured, repeat(probe, state)]);
  return { result, milliseconds, probeMs: state.probeMs };
}

async function repeat(
  probe: () => Promise<unknown>,
  state: { readonly isDone: boolean; probeMs: number },
): Promise<void> {
  do {
    const start = performance.now();
    await sleep(PAUSE_MS);
    await probe();
    state.probeMs = Math.max(state.probeMs, performance.now() - start - PAUSE_MS);
  } while (!state.isDone);
}

/** Steps through the machine that work may take for each step of its probe. */
const STEPS = 10;

/** Returns the milliseconds that a promise of so many allows on this machine at this moment. */
export const allowedMs = (promisedMs: number, { probeMs }: { probeMs: number }): number =>
  promisedMs + STEPS * probeMs;
