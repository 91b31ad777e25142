import { describe, expect, it } from 'vitest';
import { AuthError } from './auth-error.js';
import { ERROR_CODES } from './error-code.js';
import { outcomeOf, reportOutcome, type UseCaseOutcome } from './use-case-outcome.js';

describe('the outcome of work that failed', () => {
  it('only these codes have the outcome error', () => {
    const ours = ERROR_CODES.filter((code) => outcomeOf(new AuthError(code, 'x')) === 'error');
    expect(ours).toEqual(['finance_db_not_configured', 'service_unavailable', 'not_ready', 'internal_error']);
  });

  it('anything thrown that is no AuthError has the outcome error', () => {
    expect([new TypeError('x'), 'x', undefined].map(outcomeOf)).toEqual(['error', 'error', 'error']);
  });

  it('no code has the outcome success', () => {
    expect(ERROR_CODES.map((code) => outcomeOf(new AuthError(code, 'x')))).not.toContain('success');
  });
});

it('reportOutcome reports the outcome once and returns or throws what the work did', async () => {
  const reported: UseCaseOutcome[] = [];
  const report = (outcome: UseCaseOutcome) => void reported.push(outcome);
  const refusal = AuthError.forbidden();
  expect(await reportOutcome(Promise.resolve(7), report)).toBe(7);
  await expect(reportOutcome(Promise.reject(refusal), report)).rejects.toBe(refusal);
  expect(reported).toEqual(['success', 'denied']);
});
