import { expect, it } from 'vitest';
import { durationOption } from './duration-option.js';

it.each([
  ['0s', 0],
  ['90m', 5400],
  ['12h', 43_200],
  ['400d', 34_560_000],
])('%s is %i seconds', (text, seconds) => {
  expect(durationOption(text)).toBe(seconds);
});

it.each(['400', '', 'd', '-1d', '1.5d', '1w', '30 d', '30D', '1000000d', '1d12h'])(
  '%j is rejected',
  (text) => {
    expect(() => durationOption(text)).toThrow('a number with its unit');
  },
);
