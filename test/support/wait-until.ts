import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /** Name of the awaited event, for the message when it does not come: "the mail to ada". */
  what: string;
  /** Default: 120000: how long a loaded machine may need for what takes milliseconds on a quiet one. */
  timeoutMs?: number;
}

/** Values of a condition that does not hold yet. */
type NotYet = undefined | null | false;

/**
 * Asks every 10 ms until the condition answers something, and returns that. An answer of false, null or
 * undefined means: not yet. @throws Error when the time is over, or what the condition throws.
 */
export async function waitUntil<T>(
  condition: () => T | NotYet | Promise<T | NotYet>,
  { what, timeoutMs = 120_000 }: WaitOptions,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() >= deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await sleep(10);
  }
}
