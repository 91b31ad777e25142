import { expect, it } from 'vitest';
import { digestOf, webDigest } from './digest.js';

it('the digest of Node and that of the web platform are the same', async () => {
  expect(typeof digestOf('a token')).toBe('string');
  expect(await webDigest('a token')).toBe(digestOf('a token'));
});
