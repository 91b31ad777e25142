import { digestsEqual } from '../kernel/secret.js';
import type { FoundSession, PresentedToken } from './rotation-repository.js';

/**
 * Verdict on a refresh token that was not rotated. `successor`: return the same successor as the request that
 * rotated it; `reused`: revoke the session.
 */
export type RefreshVerdict = 'unknown' | 'revoked' | 'expired' | 'successor' | 'reused';

/** Durations in milliseconds. */
export interface RefreshTiming {
  /** Time that a refresh waits between its rotation and its answer. */
  answerDelay: number;
  /** Time that this request may have waited unseen before it was read, because the process stalled. */
  stalledFor: number;
  /** Time for which the previous token stays valid, overlap or not. */
  reuseGrace: number;
}

/** Judges a token whose rotation did not happen. Pure: everything it considers is in its arguments. */
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
 * Reports whether a spent token is answered with its successor. Only the token right before the current one
 * can have been rotated while this request was in flight. A request that arrived before the answer of the
 * rotation can have left is no reuse. Where its arrival cannot be dated, it counts as having arrived before
 * the rotation: repeating a successor does little harm, revoking the session of an honest user does much.
 */
function isPardoned(token: PresentedToken, session: FoundSession, timing: RefreshTiming): boolean {
  if (token.generation !== session.generation - 1 || session.rotationLead === null) return false;
  return session.rotationLead <= Math.max(timing.answerDelay, timing.stalledFor, timing.reuseGrace);
}
