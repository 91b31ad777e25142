import { AuthError } from '../kernel/auth-error.js';
import { durationText } from '../kernel/duration.js';
import type { CleanupRequest } from './cleanup.js';
import type { Retention, RetentionKind } from './retention.js';

/** A kind that is to be cleaned up, and for how many seconds its rows stay after their end. */
export interface KeepTime {
  kind: RetentionKind;
  keep: number;
}

/**
 * What a request comes to under the retentions that hold.
 * @throws AuthError `validation_error` for a time shorter than rows have an effect, and for audit rows without one.
 */
export function keepTimesOf(request: CleanupRequest, retentions: readonly Retention[]): KeepTime[] {
  const { keep = {}, only } = request;
  return retentions
    .filter(({ kind }) => only?.includes(kind) ?? true)
    .flatMap((retention) => {
      const { kind, usual } = retention;
      const wanted = keep[kind] ?? usual;
      if (wanted !== undefined) return [{ kind, keep: checked(wanted, retention) }];
      if (only) throw AuthError.validation(`${kind}: are kept for ever unless it is said for how long.`);
      return [];
    });
}

function checked(keep: number, { kind, least, because }: Retention): number {
  if (!Number.isSafeInteger(keep) || keep < 0 || keep > LONGEST) {
    throw AuthError.validation(`${kind}: must be kept for a whole number of seconds, at most ${LONGEST}.`);
  }
  if (keep >= least) return keep;
  const [given, needed] = [durationText(keep), durationText(least)];
  throw AuthError.validation(`${kind}: ${given} is too short, they must stay for ${needed} (${because}).`);
}

/** A hundred years. */
const LONGEST = 36_500 * 86_400;
