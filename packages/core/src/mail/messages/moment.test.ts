import { describe, expect, it } from 'vitest';
import { lifetime, moment } from './moment.js';

describe('lifetime', () => {
  it.each([
    [604_800, '7 days'],
    [604_795, '7 days'],
    [86_400, '24 hours'],
    [5_400, '90 minutes'],
    [1_800, '30 minutes'],
    [60, '60 seconds'],
    [3, '3 seconds'],
    [1, '1 second'],
    [0, '1 second'],
  ])('%i seconds read "%s"', (seconds, text) => {
    expect(lifetime(seconds)).toBe(text);
  });
});

describe('moment', () => {
  it('a moment is formatted with day, time and zone', () => {
    expect(moment(new Date('2026-11-20T14:05:59Z'))).toBe('on 20 November 2026 at 14:05 UTC');
  });
});
