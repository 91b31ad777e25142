import { describe, expect, it } from 'vitest';
import { DEFAULT_THROTTLE_POLICY, waitSeconds } from './account-record.js';

describe('the wait', () => {
  it.each([
    [1, 30],
    [2, 60],
    [5, 480],
    [6, 900],
    [100_000, 900],
  ])('number %d lasts %d seconds', (nth, seconds) => {
    expect(waitSeconds(nth, DEFAULT_THROTTLE_POLICY)).toBe(seconds);
  });
});
