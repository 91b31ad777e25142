import type { Verifier } from '../verifier.js';

const ARGUMENTS: Record<string, string> = {
  requireRole: ", 'PLATFORM_ADMIN'",
  requireFresh: ", '5m'",
  requireFactors: ', 2',
};

/** Returns the correct line of code. */
export const exampleOf = (name: string): string =>
  `app.get('/path', ${name}(verifier${ARGUMENTS[name] ?? ''}), handler)`;

/** @throws TypeError unless a guard is created with a verifier: without the call, or with a promise of one. */
export function assertVerifier(name: string, verifier: unknown): asserts verifier is Verifier {
  if (typeof (verifier as Partial<Verifier> | undefined)?.authenticateToken === 'function') return;
  const advice = verifier instanceof Promise ? 'Await createVerifier first' : 'Pass the verifier';
  throw new TypeError(`${name} returns a middleware. ${advice}: ${exampleOf(name)}`);
}
