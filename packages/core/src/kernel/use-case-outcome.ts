import { AuthError } from './auth-error.js';
import type { ErrorCode } from './error-code.js';

/**
 * How a use case ended. `failure`: the proof was wrong; `denied`: the proof was good, its owner may not; `limited`: too
 * many attempts; `invalid`: what was sent breaks a rule; `conflict`: something stands in the way; `error`: a dependency
 * was away, or we made a mistake.
 */
export const OUTCOMES = ['success', 'failure', 'denied', 'limited', 'invalid', 'conflict', 'error'] as const;
export type UseCaseOutcome = (typeof OUTCOMES)[number];

/** What is not listed is nobody's doing but ours. */
const OUTCOME_OF: Partial<Record<ErrorCode, UseCaseOutcome>> = {
  validation_error: 'invalid',
  not_implemented: 'invalid',
  unauthorized: 'failure',
  session_revoked: 'failure',
  reauthentication_required: 'failure',
  not_found: 'failure',
  forbidden: 'denied',
  pending_approval: 'denied',
  registration_rejected: 'denied',
  account_inactive: 'denied',
  registration_disabled: 'denied',
  rate_limited: 'limited',
  conflict: 'conflict',
};

/** How work ended that has thrown this. */
export const outcomeOf = (thrown: unknown): UseCaseOutcome =>
  (AuthError.is(thrown) ? OUTCOME_OF[thrown.code] : undefined) ?? 'error';

/** The result or the error of the work, unchanged, once `tell` has heard how it ended. */
export async function reportOutcome<T>(
  work: Promise<T>,
  tell: (outcome: UseCaseOutcome) => void,
): Promise<T> {
  try {
    const result = await work;
    tell('success');
    return result;
  } catch (error) {
    tell(outcomeOf(error));
    throw error;
  }
}
