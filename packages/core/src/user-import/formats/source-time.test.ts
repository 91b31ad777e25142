import { describe, expect, it } from 'vitest';
import { timeOf } from './source-time.js';

describe('a time of a source', () => {
  it.each([
    [1714564800000, '2024-05-01T12:00:00.000Z'],
    ['1714564800000', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01T12:00:00Z', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01T12:00:00.123456+00:00', '2024-05-01T12:00:00.123Z'],
    ['2024-05-01 14:00:00+02', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01 12:00:00.5', '2024-05-01T12:00:00.500Z'],
    ['2024-05-01 06:30-0530', '2024-05-01T12:00:00.000Z'],
    [{ $date: '2024-05-01T12:00:00Z' }, '2024-05-01T12:00:00.000Z'],
    [{ $date: { $numberLong: '1714564800000' } }, '2024-05-01T12:00:00.000Z'],
  ])('is read from %j', (value, time) => {
    expect(timeOf(value)).toBe(time);
  });

  it.each([
    undefined,
    null,
    '',
    'yesterday',
    'infinity',
    '2024-13-01T00:00:00Z',
    NaN,
    1e18,
    '01.05.2024',
    {},
    [],
  ])('is not read from %j', (value) => {
    expect(timeOf(value)).toBeUndefined();
  });
});
