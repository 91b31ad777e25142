import { expect, it } from 'vitest';
import { countOf, statText } from './count-words.js';

it('a count has its noun in singular or plural, and a lower bound has a plus', () => {
  expect(countOf(1, 'key')).toBe('1 key');
  expect(countOf(0, 'entry', 'entries')).toBe('0 entries');
  expect(countOf({ total: 10_000, isTotalExact: false }, 'user')).toBe('10,000+ users');
});

it('a number of the session statistics is exact, or rounded and marked as an estimate', () => {
  expect(statText(1_794_321, {})).toBe('1794321');
  expect(statText(1_794_321, { isEstimate: true })).toBe('about 1,790,000');
});
