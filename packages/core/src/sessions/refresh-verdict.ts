import { digestsEqual } from '../kernel/secret.js';
import type { FoundSession } from './rotation-repository.js';
import type { PresentedToken } from './session-repository.js';

/**
 * What a refresh token deserves that was not rotated. `successor`: the same successor as the request that rotated it;
 * `reused`: the end of the session.
 */
export type RefreshVerdict = 'unknown' | 'revoked' | 'expired' | 'successor' | 'reused';

/** All in milliseconds. */
export interface RefreshTiming {
  /** How long a refresh holds its answer back after it has rotated. */
  answerDelay: number;
  /** How long this request may have waited unseen before it was noticed, because the process stood still. */
  stalledFor: number;
  /** How long the token before the current one stays good, overlap or not. */
  reuseGrace: number;
}

/** Judges a token whose rotation did not happen. Pure: everything it weighs is in its arguments. */
export function judgeRefresh(
  token: PresentedToken,
  session: FoundSession | undefined,
  timing: RefreshTiming,
): RefreshVerdict {
  if (!session) return 'unknown';
  const isCurrent =
    token.generation === session.generation && digestsEqual(token.secretDigest, session.secretDigest);
  const isEarlier = token.isGenuine && token.generation < session.generation;
  // A token that was never issued proves nothing, so it has no effect.
  if (!isCurrent && !isEarlier) return 'unknown';
  if (session.isRevoked) return 'revoked';
  if (session.isExpired) return 'expired';
  // Current and live, yet not rotated: only the user's state is left, which the caller reports.
  if (isCurrent) return 'successor';
  return isPardoned(token, session, timing) ? 'successor' : 'reused';
}

/**
 * Only the token right before the current one can have been rotated while this request was in flight. A request that
 * came before the answer of the rotation can have left is no reuse. Where nobody can tell when it came, it is
 * believed to have come before the rotation: to give the same successor again does little harm, to end the session of
 * somebody who did nothing wrong does much.
 */
function isPardoned(token: PresentedToken, session: FoundSession, timing: RefreshTiming): boolean {
  if (token.generation !== session.generation - 1 || session.rotationLead === null) return false;
  return session.rotationLead <= Math.max(timing.answerDelay, timing.stalledFor, timing.reuseGrace);
}
