import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance } from './edit-distance.js';

it.each([
  ['', '', 0],
  ['PORT', 'PORT', 0],
  ['', 'PORT', 4],
  ['PORT', 'PROT', 1],
  ['DATABSE_URL', 'DATABASE_URL', 1],
  ['REDIS_URLS', 'REDIS_URL', 1],
  ['HOME', 'HOST', 2],
  ['kitten', 'sitting', 3],
  ['abcd', 'badc', 2],
])('the edit distance of %j and %j is %d', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
  expect(editDistance(to, from)).toBe(distance);
});

it.each([
  ['DATABSE_URL', 'DATABASE_URL', 1, 1],
  ['HOME', 'HOST', 2, 2],
  ['HOME', 'HOST', 1, Infinity],
  ['abcd', 'badc', 2, 2],
  // The row of the first letter of a swap is dearer than its end.
  ['PROT_NUMBER', 'PORT_NUMBER', 1, 1],
  ['PORT', 'PORT_NUMBER', 2, Infinity],
  ['NODE_OPTIONS', 'LOG_LEVEL', 2, Infinity],
])('the edit distance of %j and %j, of which %d count, is %d', (from, to, most, distance) => {
  expect(editDistance(from, to, most)).toBe(distance);
  expect(editDistance(to, from, most)).toBe(distance);
});

it('a limit changes no distance within it', () => {
  const text = fc.string({ unit: fc.constantFrom('A', 'B', '_'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, fc.nat(6), (from, to, most) => {
      const distance = editDistance(from, to);
      expect(editDistance(from, to, most)).toBe(distance > most ? Infinity : distance);
    }),
  );
});
