import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FOREIGN_HASHES } from '../../../../../test/support/foreign-hashes.js';
import { unobserved } from '../../kernel/observer.js';
import { HASHING_ENGINES } from '../hashing-protocol.js';
import { PasswordHasher } from '../password-hasher.js';
import { storedFormOf } from './stored-form.js';

/** Longer ones differ only after the bytes that bcrypt reads. */
const BCRYPT_BYTES = 72;

const hasFastEngine = await import('@node-rs/argon2').then(
  () => true,
  () => false,
);

const vectors = FOREIGN_HASHES.map(({ library, scheme, password, hash, input = hash }, index) => ({
  title: `${scheme} hash of ${library}, number ${index}`,
  scheme,
  password,
  input,
  stored: storedFormOf(input) ?? '',
}));

const hasherWith = (engine?: (typeof HASHING_ENGINES)[number]) =>
  PasswordHasher.start({
    memoryKib: 256,
    iterations: 1,
    parallelism: 1,
    workers: 1,
    observer: unobserved,
    engine,
  });

const storedOf = (library: string): string => {
  const vector = FOREIGN_HASHES.find((candidate) => candidate.library.startsWith(library));
  return storedFormOf(vector?.input ?? vector?.hash ?? '') ?? '';
};

describe('a password hash of another system', () => {
  let hasher: PasswordHasher;
  beforeAll(async () => {
    hasher = await hasherWith();
  });
  afterAll(() => hasher.close());

  it.each(vectors)('the $title is verified by its password and by no other', async (vector) => {
    const { stored, password } = vector;
    expect(await hasher.verify(stored, password)).toBe(true);
    expect(await hasher.verify(stored, `x${password}`)).toBe(false);
    expect(await hasher.verify(stored, password.slice(1))).toBe(false);
    expect(await hasher.verify(stored, '')).toBe(false);
    expect(hasher.needsRehash(stored)).toBe(true);
  });

  it('a bcrypt hash is verified by the first 72 bytes of a password, as in its own system', async () => {
    const long = vectors.find(({ password }) => Buffer.byteLength(password) > BCRYPT_BYTES);
    const [stored = '', password = ''] = [long?.stored, long?.password];
    const cut = Buffer.from(password).subarray(0, BCRYPT_BYTES);
    expect(await hasher.verify(stored, cut.toString())).toBe(true);
    expect(await hasher.verify(stored, cut.subarray(1).toString())).toBe(false);
  });

  it('a foreign hash of a composed password is verified by its decomposed form, and not the other way round', async () => {
    const composed = vectors.filter(({ password }) => password.startsWith('Schlüssel'));
    const decomposed = vectors.filter(({ password }) => password !== password.normalize('NFKC'));
    expect(composed.length).toBeGreaterThan(5);
    expect(new Set(decomposed.map(({ scheme }) => scheme)).size).toBeGreaterThan(4);
    for (const { stored, password } of composed) {
      expect(await hasher.verify(stored, password.normalize('NFD'))).toBe(true);
    }
    for (const { stored, password } of decomposed) {
      expect(await hasher.verify(stored, password.normalize('NFKC'))).toBe(false);
    }
  });

  it('an Argon2id hash that another system made of a decomposed password is verified', async () => {
    const { hash } = await import('argon2');
    const stored = await hash('Cafe\u0301', { memoryCost: 256, timeCost: 2, parallelism: 1 });
    expect(await hasher.verify(stored, 'Cafe\u0301')).toBe(true);
    expect(await hasher.verify(stored, 'Cafe\u0300')).toBe(false);
  });

  it('a foreign hash is not verified by an overlong password', async () => {
    expect(await hasher.verify(storedOf('Django'), 'e\u0301\u0323'.repeat(40_000))).toBe(false);
  });
});

describe.each(HASHING_ENGINES.filter((name) => name === 'argon2' || hasFastEngine))(
  'an Argon2 hash of another system, with the engine %s',
  (engine) => {
    it('every variant and length of salt is verified by its password and by no other', async () => {
      const hasher = await hasherWith(engine);
      for (const { stored, password } of vectors.filter(({ scheme }) => scheme === 'argon2')) {
        expect(await hasher.verify(stored, password), stored).toBe(true);
        expect(await hasher.verify(stored, `${password}!`), stored).toBe(false);
      }
      await hasher.close();
    });
  },
);
