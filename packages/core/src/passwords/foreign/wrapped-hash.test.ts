import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FOREIGN_HASHES } from '../../../../../test/support/foreign-hashes.js';
import { AuthError } from '../../kernel/auth-error.js';
import { unobserved } from '../../kernel/observer.js';
import { PasswordHasher } from '../password-hasher.js';
import { storedFormOf } from './stored-form.js';

const vectors = FOREIGN_HASHES.map(({ library, scheme, password, hash, input = hash }, index) => ({
  title: `${scheme} hash of ${library}, number ${index}`,
  scheme,
  password,
  stored: storedFormOf(input) ?? '',
}));
const foreign = vectors.filter(({ scheme }) => scheme !== 'argon2');

let hasher: PasswordHasher;
beforeAll(async () => {
  hasher = await PasswordHasher.start({
    memoryKib: 256,
    iterations: 1,
    parallelism: 1,
    workers: 1,
    observer: unobserved,
  });
});
afterAll(() => hasher.close());

/** Returns the digest of a stored hash as it is written. */
const digestOf = (stored: string): string => stored.slice(stored.startsWith('$2') ? -31 : -22);

describe('a wrapped password hash', () => {
  it.each(foreign)('the wrapped $title is verified by its password and by no other', async (vector) => {
    const wrapped = await hasher.wrap(vector.stored);
    expect(await hasher.verify(wrapped, vector.password)).toBe(true);
    expect(await hasher.verify(wrapped, `x${vector.password}`)).toBe(false);
    expect(hasher.needsRehash(wrapped)).toBe(true);
    expect(storedFormOf(wrapped)).toBe(wrapped);
  });

  it('a wrapped hash has the configured cost and the foreign parameters and salt, and not the foreign digest', async () => {
    const wrapped: string[] = [];
    for (const { stored } of foreign) wrapped.push(await hasher.wrap(stored));
    expect(wrapped.every((hash) => hash.includes('$argon2id$v=19$m=256,t=1,p=1$'))).toBe(true);
    for (const [index, { stored }] of foreign.entries()) {
      expect(wrapped[index]).not.toContain(digestOf(stored));
      expect(wrapped[index]).toContain(stored.slice(0, 4));
    }
    expect(wrapped).toContainEqual(
      expect.stringMatching(
        /^\$wrapped\$l=31\$argon2id\$v=19\$m=256,t=1,p=1\$2a\$05\$C{21}\.\$[\w+/]{22}\$[\w+/]{43}$/,
      ),
    );
  });

  it('a hash that is wrapped twice has two salts', async () => {
    const [{ stored } = { stored: '' }] = foreign;
    expect(await hasher.wrap(stored)).not.toBe(await hasher.wrap(stored));
  });

  it('a hash of Argon2 and a wrapped one are not wrapped again', async () => {
    const [{ stored } = { stored: '' }] = foreign;
    const wrapped = await hasher.wrap(stored);
    const argon2 = vectors.filter(({ scheme }) => scheme === 'argon2').map((vector) => vector.stored);
    expect(argon2.length).toBeGreaterThan(5);
    for (const hash of [wrapped, ...argon2]) expect(await hasher.wrap(hash)).toBe(hash);
  });

  it.each(['', 'plain text', '$2b$31$IT7uqwB2vfKILSlQPu8/YeUscP.VwHLfaZlB0E9B1iIWhk0KVV382'])(
    'the text %j is not wrapped',
    async (text) => {
      await expect(hasher.wrap(text)).rejects.toSatisfy(
        (error) => AuthError.is(error) && error.code === 'validation_error',
      );
    },
  );
});
