import { AuthError } from './auth-error.js';
import type { ErrorCode } from './error-code.js';

/**
 * The outcome of a use case. `failure`: the proof was wrong; `denied`: the proof was right, but its owner
 * lacks the permission; `limited`: too many attempts; `invalid`: the input breaks a rule; `conflict`: the
 * current state does not allow it; `error`: a dependency was unavailable, or the service has a defect.
 */
export const OUTCOMES = ['success', 'failure', 'denied', 'limited', 'invalid', 'conflict', 'error'] as const;
export type UseCaseOutcome = (typeof OUTCOMES)[number];

/** Codes that are not listed are our own failures. */
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
  email_unverified: 'denied',
  second_factor_required: 'denied',
  registration_disabled: 'denied',
  rate_limited: 'limited',
  conflict: 'conflict',
  gone: 'conflict',
};

/** Returns the outcome of work that has thrown this. */
export const outcomeOf = (thrown: unknown): UseCaseOutcome =>
  (AuthError.is(thrown) ? OUTCOME_OF[thrown.code] : undefined) ?? 'error';

/**
 * Returns the result or throws the error of the work, unchanged, after the outcome was reported.
 * @param report also receives the result of work that succeeded.
 */
export async function reportOutcome<T>(
  work: Promise<T>,
  report: (outcome: UseCaseOutcome, result?: T) => void,
): Promise<T> {
  try {
    const result = await work;
    report('success', result);
    return result;
  } catch (error) {
    report(outcomeOf(error));
    throw error;
  }
}
