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
