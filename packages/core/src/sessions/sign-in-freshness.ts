import { AuthError, type SignInChallenge } from '../kernel/auth-error.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import { CLOCK_LEEWAY } from '../tokens/access-token-claims.js';
import { isSignedInByPerson } from '../tokens/authentication-methods.js';
import type { SessionPrincipal } from './session.js';

/** The facts of a sign-in that its age is judged by. */
export type SignInFacts = Pick<SessionPrincipal, 'authTime' | 'amr'>;

/**
 * Throws unless the user proved their identity themselves, at most this many seconds ago; clocks may differ by 5
 * seconds.
 * @throws AuthError `reauthentication_required` with the maximum age (RFC 9470 section 3).
 */
export function assertFreshSignIn(signIn: SignInFacts, maxAgeSeconds: number, clock: Clock): void {
  if (!isFreshSignIn(signIn, maxAgeSeconds, clock)) throw staleSignIn(maxAgeSeconds);
}

/** Reports whether the user proved their identity themselves, at most this many seconds ago; clocks may differ by 5 seconds. */
export const isFreshSignIn = ({ authTime, amr }: SignInFacts, maxAgeSeconds: number, clock: Clock): boolean =>
  epochSeconds(clock) - authTime <= maxAgeSeconds + CLOCK_LEEWAY && isSignedInByPerson(amr);

/** Returns the error for a sign-in that is too old, or was not the user's own. */
export const staleSignIn = (maxAgeSeconds: number): AuthError =>
  new AuthError('reauthentication_required', 'Confirm your identity again to do this.', {
    challenge: { maxAgeSeconds },
  });

/** Returns the error for a sign-in without a second factor, or with one that was proved too long ago. */
export const missingFactor = (challenge: SignInChallenge): AuthError =>
  new AuthError('reauthentication_required', 'Confirm your identity with a second factor to do this.', {
    reason: 'second_factor_missing',
    challenge,
  });
