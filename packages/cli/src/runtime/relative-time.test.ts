import { describe, expect, it } from 'vitest';
import { relativeTime } from './relative-time.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

describe('a time as people say it', () => {
  it.each([
    ['2026-11-20T11:59:59.500Z', 'just now'],
    ['2026-11-20T11:59:15.000Z', '45 seconds ago'],
    ['2026-11-20T11:57:00.000Z', '3 minutes ago'],
    ['2026-11-20T10:59:00.000Z', '1 hour ago'],
    ['2026-11-18T11:00:00.000Z', '2 days ago'],
    ['2026-08-01T12:00:00.000Z', '3 months ago'],
    ['2020-11-20T12:00:00.000Z', '6 years ago'],
    ['2026-12-04T11:59:00.000Z', 'in 13 days'],
  ])('%s is %s', (time, words) => {
    expect(relativeTime(time, NOW)).toBe(words);
  });

  it('an unknown time is empty', () => {
    expect(relativeTime(null)).toBe('');
    expect(relativeTime(undefined)).toBe('');
  });
});
