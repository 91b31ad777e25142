import { describe, expect, it } from 'vitest';
import { delayAfter } from './backoff.js';
import { FeedRefusal } from './feed-refusal.js';

const delays = (error: unknown, random: number): number[] =>
  Array.from({ length: 8 }, (_each, failures) => delayAfter(failures, error, () => random));

describe('the delay before the next attempt', () => {
  it('grows up to two seconds after failures of the network', () => {
    expect(delays(new Error('cut'), 1)).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000]);
    expect(delays(new Error('cut'), 0)).toEqual([50, 100, 200, 400, 800, 1000, 1000, 1000]);
  });

  it('grows up to half a minute while the credential is refused', () => {
    expect(delays(new FeedRefusal(403, 'no'), 1).at(-1)).toBe(30_000);
  });

  it('is at least the time of Retry-After', () => {
    expect(delayAfter(0, new FeedRefusal(429, 'no', 7), () => 0)).toBe(7_000);
    expect(delayAfter(0, new FeedRefusal(503, 'no', 99_999), () => 0)).toBe(30_000);
  });
});
