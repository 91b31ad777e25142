import { expect, it } from 'vitest';
import { readMaxAge } from './max-age.js';

it.each([
  ['5m', 300],
  ['90', 90],
  [90, 90],
  ['1h', 3600],
  ['1d', 86_400],
  [' 30s ', 30],
])('%j is %i seconds', (given, seconds) => {
  expect(readMaxAge(given)).toBe(seconds);
});

it.each([undefined, null, '', '5 minutes', 'm', '-5m', -1, 0, '0', '0m', 1.5, NaN, Infinity, {}, ['5m']])(
  '%j is no age, and whoever writes it is told how',
  (given) => {
    expect(() => readMaxAge(given)).toThrow(/app\.get\('\/path', requireFresh\('5m'\), handler\)/);
    expect(() => readMaxAge(given)).toThrow(TypeError);
  },
);
