import { expect, it } from 'vitest';
import { isLastAttempt, MAX_ATTEMPTS, retryDelay } from './retry-delay.js';

it('retry delays triple from five seconds up to a quarter of an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(retryDelay)).toEqual([5, 15, 45, 135, 405, 900, 900]);
});

it('the last retry delay is finite and the mail is kept for hours', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelay(index + 1));
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600;
  expect(hours).toBeGreaterThan(3);
  expect(hours).toBeLessThan(4);
});

it('a mail that is retried manually has as many attempts again', () => {
  const series = Array.from({ length: MAX_ATTEMPTS }, (_, index) => MAX_ATTEMPTS + 1 + index);
  expect(series.slice(0, 4).map(retryDelay)).toEqual([5, 15, 45, 135]);
  expect(series.filter(isLastAttempt)).toEqual([2 * MAX_ATTEMPTS]);
  expect(isLastAttempt(MAX_ATTEMPTS)).toBe(true);
});
