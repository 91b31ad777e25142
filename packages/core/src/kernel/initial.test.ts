import { expect, it } from 'vitest';
import { initialOf } from './initial.js';

it.each([
  ['latchkey', 'L'],
  ['  Ledger & Co', 'L'],
  ['ÿ Bank', 'Ÿ'],
  ['e\u0301tude', 'E\u0301'],
  ['👩‍👩‍👧 Family', '👩‍👩‍👧'],
  ['ß', 'SS'],
  ['', ''],
])('the first letter of "%s" is %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});
