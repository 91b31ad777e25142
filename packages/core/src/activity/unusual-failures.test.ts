import { expect, it } from 'vitest';
import { unusualFailures } from './unusual-failures.js';

const days = (...failures: number[]) => failures.map((failedSignIns) => ({ failedSignIns }));

it.each([
  ['more than three times the usual number', days(5, 6, 7, 22), { failures: 22, usual: 6 }],
  ['three times the usual number', days(7, 7, 7, 21), null],
  ['few failures after days without any', days(0, 0, 0, 19), null],
  ['many failures after days without any', days(0, 0, 0, 20), { failures: 20, usual: 0 }],
  ['an attack after an earlier attack', days(4, 4, 900, 4, 90), { failures: 90, usual: 4 }],
  ['no day at all', [], null],
])('%s', (_name, numbers, expected) => {
  expect(unusualFailures(numbers)).toEqual(expected);
});
