import type { Verifier } from '@latchkey/verifier';
import { waitUntil } from '../wait-until.js';
import { codeOf } from './verifiers.js';

/** Returns the milliseconds until a verifier refuses a token. @throws Error when it does not. */
export async function refusalMs(verifier: Verifier, token: string): Promise<number> {
  const start = performance.now();
  await waitUntil(async () => (await codeOf(verifier, token)) !== 'accepted', { what: 'a refusal' });
  return performance.now() - start;
}

/** Returns the value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** Counts the requests in what was sent over a connection. */
export const requestsIn = (sent: string): number =>
  sent.match(/^(?:GET|POST) \S+ HTTP\/1\.1\r$/gm)?.length ?? 0;
