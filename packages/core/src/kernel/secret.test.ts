import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOf, digestsEqual, generateSecret, matchesAnySecret } from './secret.js';

describe('a generated secret', () => {
  it('a generated secret is its prefix and 256 bits in base64url', () => {
    const secret = generateSecret('lki_');
    expect(secret).toMatch(/^lki_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(secret.slice(4), 'base64url')).toHaveLength(32);
  });

  it('no secret is generated twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => generateSecret('x_'))).size).toBe(1000);
  });
});

it('a digest is SHA-256, of text as UTF-8', () => {
  expect(digestOf('ü').toString('hex')).toBe(
    createHash('sha256').update(Buffer.from('c3bc', 'hex')).digest('hex'),
  );
  expect(digestOf(Buffer.from('abc'))).toEqual(digestOf('abc'));
});

it('digests are equal if every byte is equal, and never if their lengths differ', () => {
  expect(digestsEqual(digestOf('a'), digestOf('a'))).toBe(true);
  expect(digestsEqual(digestOf('a'), digestOf('b'))).toBe(false);
  expect(digestsEqual(digestOf('a'), digestOf('a').subarray(0, 31))).toBe(false);
  expect(digestsEqual(Buffer.alloc(0), digestOf('a'))).toBe(false);
});

describe('a presented secret', () => {
  it('a presented secret matches if it is any of the accepted ones', () => {
    const accepted = ['first', 'second', 'third'];
    for (const secret of accepted) expect(matchesAnySecret(secret, accepted)).toBe(true);
  });

  it.each(['', 'First', 'first ', 'firs', 'first,second', 'fourth'])(
    'the secret %j matches none of the accepted ones',
    (presented) => {
      expect(matchesAnySecret(presented, ['first', 'second'])).toBe(false);
    },
  );

  it('no secret matches if none is accepted', () => {
    expect(matchesAnySecret('', [])).toBe(false);
    expect(matchesAnySecret('undefined', [])).toBe(false);
  });
});
