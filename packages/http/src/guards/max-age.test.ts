import { expect, it } from 'vitest';
import { readMaxAge } from './max-age.js';

it.each([
  ['5m', 300],
  ['90', 90],
  [90, 90],
  ['1h', 3600],
  ['1d', 86_400],
  [' 30s ', 30],
])('readMaxAge returns the seconds of %j: %i', (given, seconds) => {
  expect(readMaxAge(given)).toBe(seconds);
});

it.each([undefined, null, '', '5 minutes', 'm', '-5m', -1, 0, '0', '0m', 1.5, NaN, Infinity, {}, ['5m']])(
  'readMaxAge rejects %j and names the correct call',
  (given) => {
    expect(() => readMaxAge(given)).toThrow(/app\.get\('\/path', requireFresh\('5m'\), handler\)/);
    expect(() => readMaxAge(given)).toThrow(TypeError);
  },
);
