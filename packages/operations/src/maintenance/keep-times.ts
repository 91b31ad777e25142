import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { durationText } from '@latchkey/core/internal/kernel/duration';
import type { CleanupRequest } from './cleanup.js';
import type { Retention, RetentionKind } from './retention.js';

/** A kind to clean up, with the seconds for which its rows are kept after their end. */
export interface KeepTime {
  kind: RetentionKind;
  keep: number;
}

/**
 * Returns the kinds of a request with their keep times, under the given retentions.
 * @throws AuthError `validation_error` for a time below the minimum, and for audit rows without a time.
 */
export function keepTimesOf(request: CleanupRequest, retentions: readonly Retention[]): KeepTime[] {
  const { keep = {}, only } = request;
  return retentions
    .filter(({ kind }) => only?.includes(kind) ?? true)
    .flatMap((retention) => {
      const { kind, defaultKeep } = retention;
      const wanted = keep[kind] ?? defaultKeep;
      if (wanted !== undefined) return [{ kind, keep: checked(wanted, retention) }];
      if (only)
        throw AuthError.validation(
          `${kind}: rows are kept indefinitely. Give a time to keep them, and older ones are removed.`,
        );
      return [];
    });
}

function checked(keep: number, { kind, minimumKeep, reason }: Retention): number {
  if (!Number.isSafeInteger(keep) || keep < 0 || keep > LONGEST) {
    throw AuthError.validation(`${kind}: must be kept for a whole number of seconds, at most ${LONGEST}.`);
  }
  if (keep >= minimumKeep) return keep;
  const [given, needed] = [durationText(keep), durationText(minimumKeep)];
  throw AuthError.validation(`${kind}: ${given} is too short. Keep rows for at least ${needed} (${reason}).`);
}

/** The maximum: a hundred years. */
const LONGEST = 36_500 * 86_400;
