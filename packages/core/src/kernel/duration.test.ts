import { expect, it } from 'vitest';
import { durationText, parseDuration } from './duration.js';

it.each([
  ['900', 900],
  ['0', 0],
  ['30s', 30],
  ['15m', 900],
  ['12h', 43_200],
  ['30d', 2_592_000],
  [' 15m ', 900],
  ['999999999d', 86_399_999_913_600],
])('the duration %j is %i seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

it.each([
  '',
  ' ',
  'm',
  '-1',
  '+1',
  '1.5',
  '1e3',
  '0x10',
  '15 m',
  '15M',
  '1w',
  '15m30s',
  '1000000000',
  '١٢',
  '1\n2',
])('%j is rejected as a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

it.each([
  [0, '0s'],
  [45, '45s'],
  [90, '90s'],
  [120, '2m'],
  [5400, '90m'],
  [86_400, '1d'],
  [129_600, '36h'],
  [2_592_000, '30d'],
])('%i seconds are written as %s and parsed back to the same number', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
  expect(parseDuration(text)).toBe(seconds);
});
