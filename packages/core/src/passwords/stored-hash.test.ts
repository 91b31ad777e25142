import { describe, expect, it } from 'vitest';
import { FOREIGN_HASHES } from '../../../../test/support/foreign-hashes.js';
import { storedFormOf } from './foreign/stored-form.js';
import { decoyWithPrefix, parseStoredHash, STORED_HASH_PREFIX } from './stored-hash.js';

const WRAPPED = `$wrapped$l=31$argon2id$v=19$m=64,t=1,p=1$2b$10$${'x'.repeat(22)}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const stored = [
  ...FOREIGN_HASHES.map(({ hash, input = hash }) => storedFormOf(input) ?? ''),
  WRAPPED,
  WRAPPED.replace('$2b$10$', '$P$B$').replace('x'.repeat(22), 'saltsalt').replace('l=31', 'l=22'),
  WRAPPED.replace('$2b$10$', '$pbkdf2-sha256$i=1000$').replace('l=31', 'l=32').replace(/x+/, 'AAAA'),
];
const prefixes = [...new Set(stored.map((hash) => parseStoredHash(hash)?.prefix ?? ''))];
const pattern = new RegExp(STORED_HASH_PREFIX);

describe('the prefix of a stored hash', () => {
  it('the prefix is the start of the hash with scheme and parameters, without salt and digest', () => {
    expect(prefixes).toEqual(
      expect.arrayContaining([
        '$2b$05',
        '$2y$10',
        '$P$B',
        '$argon2id$v=19$m=512,t=1,p=2',
        '$firebase-scrypt$m=14,r=8',
        '$pbkdf2-sha1$i=1000',
        '$scrypt$ln=14,r=16,p=1',
        '$wrapped$l=22$argon2id$v=19$m=64,t=1,p=1$P$B',
        '$wrapped$l=31$argon2id$v=19$m=64,t=1,p=1$2b$10',
      ]),
    );
    for (const hash of stored) {
      const { prefix = '' } = parseStoredHash(hash) ?? {};
      expect(hash.startsWith(prefix)).toBe(true);
      expect(pattern.exec(hash)?.[1]).toBe(prefix);
    }
  });

  it.each(['', 'secret', '$9$secret', '$2x$10$secret', 'x$2b$10$secret'])('%j has no prefix', (text) => {
    expect(pattern.exec(text)).toBeNull();
  });

  it('the prefix of a hash that is not in its stored form has scheme and parameters only, and no key', () => {
    const firebase = FOREIGN_HASHES.find(({ scheme }) => scheme === 'firebase-scrypt')?.input ?? '';
    expect(firebase).toContain('sk=');
    expect(pattern.exec(firebase)?.[1]).toBe('$firebase-scrypt$m=14,r=8');
    expect(pattern.exec('$2b$10$secret')?.[1]).toBe('$2b$10');
    expect(pattern.exec('$P$Bsecret')?.[1]).toBe('$P$B');
  });
});

describe('a decoy', () => {
  it.each(prefixes)('a decoy of %s has that prefix and can be verified', (prefix) => {
    const [one, two] = [decoyWithPrefix(prefix) ?? '', decoyWithPrefix(prefix) ?? ''];
    expect(parseStoredHash(one)?.prefix).toBe(prefix);
    expect(one).not.toBe(two);
  });

  it('a prefix whose hashes cannot be verified has no decoy', () => {
    for (const prefix of [
      '',
      '$2b$31',
      '$P$Z',
      '$scrypt$ln=30,r=8,p=1',
      '$pbkdf2-sha1$i=9999999999',
      '$argon2id$v=19$m=4294967295,t=1,p=1',
      '$wrapped$l=31$argon2id$v=19$m=64,t=1,p=1$2b$31',
      '$wrapped$l=9999999999$argon2id$v=19$m=64,t=1,p=1$2b$10',
    ]) {
      expect(decoyWithPrefix(prefix), prefix).toBeUndefined();
    }
  });
});
