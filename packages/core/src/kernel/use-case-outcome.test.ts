import { describe, expect, it } from 'vitest';
import { AuthError } from './auth-error.js';
import { ERROR_CODES } from './error-code.js';
import { outcomeOf, reportOutcome, type UseCaseOutcome } from './use-case-outcome.js';

describe('the outcome of work that failed', () => {
  it('is ours for these codes only', () => {
    const ours = ERROR_CODES.filter((code) => outcomeOf(new AuthError(code, 'x')) === 'error');
    expect(ours).toEqual(['finance_db_not_configured', 'service_unavailable', 'not_ready', 'internal_error']);
  });

  it('is ours for whatever else was thrown', () => {
    expect([new TypeError('x'), 'x', undefined].map(outcomeOf)).toEqual(['error', 'error', 'error']);
  });

  it('is never success', () => {
    expect(ERROR_CODES.map((code) => outcomeOf(new AuthError(code, 'x')))).not.toContain('success');
  });
});

it('work is told once how it ended, and gives or throws what it did', async () => {
  const told: UseCaseOutcome[] = [];
  const tell = (outcome: UseCaseOutcome) => void told.push(outcome);
  const refusal = AuthError.forbidden();
  expect(await reportOutcome(Promise.resolve(7), tell)).toBe(7);
  await expect(reportOutcome(Promise.reject(refusal), tell)).rejects.toBe(refusal);
  expect(told).toEqual(['success', 'denied']);
});
