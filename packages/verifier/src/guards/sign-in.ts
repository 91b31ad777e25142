import { epochSeconds, type VerifierClock } from '../clock.js';
import { notWithApiKey } from '../errors.js';
import type { VerifiedCaller } from '../tokens/verified-caller.js';
import { CLOCK_LEEWAY } from '../tokens/verify-token.js';
import { VerificationError } from '../verification-error.js';

/** The method of a session that a machine created. A hand-off passes it on. */
const MINTED_METHOD = 'mca';
/** Methods by which a user proves their identity also in such a session. */
const PROOFS_OF_PERSON = new Set(['pwd', 'hwk', 'mfa', 'user']);

/** Numbers of factors that can be required, and the level of the sign-in that has them. */
const LEVEL_OF_FACTORS: Readonly<Record<number, string>> = { 1: 'aal1', 2: 'aal2' };

/**
 * Throws unless the user signed in themselves, at most this many seconds ago.
 * @throws VerificationError `reauthentication_required`.
 */
export function assertFresh(
  { authTime, amr, kind }: VerifiedCaller,
  maxAgeSeconds: number,
  clock: VerifierClock,
): void {
  if (kind === 'api-key') throw notWithApiKey();
  const isRecent = epochSeconds(clock) - authTime <= maxAgeSeconds + CLOCK_LEEWAY;
  if (isRecent && isSignedInByPerson(amr)) return;
  throw new VerificationError('reauthentication_required', 'Confirm your identity again to do this.', {
    challenge: `max_age=${maxAgeSeconds}`,
  });
}

const isSignedInByPerson = (amr: readonly string[]): boolean =>
  amr.some((method) => PROOFS_OF_PERSON.has(method)) || (amr.length > 0 && !amr.includes(MINTED_METHOD));

/**
 * Returns the number of factors of a sign-in: that of `acr`, never the length of `amr`. Services that do not issue
 * `acr` name a second factor `mfa`.
 */
function factorsOf({ acr, amr }: VerifiedCaller): number {
  if (acr !== undefined) return acr === LEVEL_OF_FACTORS[2] ? 2 : 1;
  return amr.includes('mfa') ? 2 : 1;
}

/** Throws unless the sign-in has so many factors. @throws VerificationError `reauthentication_required`. */
export function assertFactors(caller: VerifiedCaller, factors: number): void {
  if (caller.kind === 'api-key') throw notWithApiKey();
  if (factorsOf(caller) >= factors) return;
  throw new VerificationError(
    'reauthentication_required',
    'Confirm your identity with a second factor to do this.',
    {
      reason: 'second_factor_missing',
      challenge: `acr_values="${LEVEL_OF_FACTORS[factors] ?? ''}"`,
    },
  );
}

/** @throws TypeError for a number of factors that no sign-in can be required to have. */
export function readFactors(factors: unknown): number {
  if (typeof factors === 'number' && Object.hasOwn(LEVEL_OF_FACTORS, factors)) return factors;
  throw new TypeError(
    "requireFactors: the number of factors must be 1 or 2. Write: app.get('/path', requireFactors(verifier, 2), handler)",
  );
}
