import { describe, expect, it } from 'vitest';
import { FOREIGN_HASHES } from '../../../../../test/support/foreign-hashes.js';
import { storedFormOf } from './stored-form.js';

const NATIVE =
  '$argon2id$v=19$m=19456,t=2,p=1$bGF0Y2hrZXktc2VsZnRzdA$2zLSoXAZFscA0rRjrMsyqbDf8F87ee3yNvL4Jws9R+I';
const SALT = 'c2VhIHNhbHQgYW5kIG1vcmU';
const DIGEST = 'zzjefCYFyBpfW0/l1xBcQNrr5E8Rvdqh0VlEvMnnftc';
const END = `$${SALT}$${DIGEST}`;
const BCRYPT = '$2b$10$IT7uqwB2vfKILSlQPu8/YeUscP.VwHLfaZlB0E9B1iIWhk0KVV382';
const PHPASS = '$P$B/Z2F87HKPkclrOZ9ThOAZyO7e92hF.';
const WRAPPED = `$wrapped$l=32$argon2id$v=19$m=19456,t=2,p=1$pbkdf2-sha256$i=1000$${SALT}${END}`;
const KEY = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';
const FIREBASE_END = `ss=Bw==,sk=${KEY}$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==`;
const FIREBASE = `$firebase-scrypt$m=14,r=8,${FIREBASE_END}`;
const STORED_FIREBASE =
  '$firebase-scrypt$m=14,r=8$42xEC+ixf3L2lwc$GjH2+Jz+dglLj5NuFkZHgBvZnv8Z8VZE5sdIgEAbIgeXy+ZfSpJLu1A++pZcpx0OhX41mDwvu2Olmp+PnfLfyQ';

describe('the stored form of a password hash', () => {
  it.each([NATIVE, NATIVE.replace('2id', '2i'), BCRYPT, PHPASS, `$scrypt$ln=14,r=16,p=1${END}`, WRAPPED])(
    'the stored form of %s is the hash itself',
    (hash) => {
      expect(storedFormOf(hash)).toBe(hash);
    },
  );

  it.each([
    ['Django PBKDF2', `pbkdf2_sha256$1000$seasalt$${DIGEST}=`, `$pbkdf2-sha256$i=1000$c2Vhc2FsdA$${DIGEST}`],
    ['Django Argon2', `argon2${NATIVE}`, NATIVE],
    ['Django bcrypt', `bcrypt$${BCRYPT}`, BCRYPT],
    ['Django scrypt', `scrypt$16384$seasalt$8$5$${DIGEST}=`, `$scrypt$ln=14,r=8,p=5$c2Vhc2FsdA$${DIGEST}`],
    [
      'passlib',
      `$pbkdf2-sha512$1000$8PHy8/T19vf4.fr7$${DIGEST}`,
      `$pbkdf2-sha512$i=1000$8PHy8/T19vf4+fr7$${DIGEST}`,
    ],
    ['passlib SHA-1', `$pbkdf2$1000${END}`, `$pbkdf2-sha1$i=1000${END}`],
    ['padded base64', `$pbkdf2-sha256$i=1000$${SALT}=$${DIGEST}=`, `$pbkdf2-sha256$i=1000${END}`],
    ['a PHC string with a length', `$pbkdf2-sha256$i=1000,l=32${END}`, `$pbkdf2-sha256$i=1000${END}`],
    ['Firebase', FIREBASE, STORED_FIREBASE],
    ['Firebase in base64 for addresses', FIREBASE.replaceAll('+', '-').replaceAll('/', '_'), STORED_FIREBASE],
    ['Supabase', `$fbscrypt$v=1,n=14,r=8,p=1,${FIREBASE_END}`, STORED_FIREBASE],
    [
      'Supabase without a salt separator',
      `$fbscrypt$v=1,n=14,r=8,p=1,${FIREBASE_END.replace('ss=Bw==,', '')}`,
      STORED_FIREBASE.replace('lwc$', 'lw$'),
    ],
  ])('a hash in the notation of %s is rewritten', (_notation, hash, stored) => {
    expect(storedFormOf(hash)).toBe(stored);
    expect(storedFormOf(stored)).toBe(stored);
  });

  it('every stored form is its own stored form', () => {
    for (const { hash, input = hash } of FOREIGN_HASHES) {
      const stored = storedFormOf(input) ?? '';
      expect(stored).not.toBe('');
      expect(storedFormOf(stored)).toBe(stored);
    }
  });

  it('the stored form of a Firebase hash contains neither the signer key nor the digest', () => {
    const stored = Buffer.from(storedFormOf(FIREBASE)?.split('$').at(-1) ?? '', 'base64');
    expect(stored).toHaveLength(64);
    for (const secret of [KEY, FIREBASE.split('$').at(-1) ?? '']) {
      expect(stored.equals(Buffer.from(secret, 'base64'))).toBe(false);
    }
  });

  it.each([
    ['empty', ''],
    ['plain text', 'correct horse battery staple'],
    ['a bare MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['crypt(3) with SHA-512', '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjlO/O817G3uBnIFNjnQJu'],
    ['bcrypt of a SHA-256 digest', `bcrypt_sha256$${BCRYPT}`],
    ['bcrypt with the fault of $2x$', BCRYPT.replace('$2b', '$2x')],
    ['bcrypt without a version', BCRYPT.replace('$2b', '$2')],
    ['bcrypt that is cut off', BCRYPT.slice(0, -1)],
    ['bcrypt with more at its end', `${BCRYPT}x`],
    ['bcrypt with a line break at its end', `${BCRYPT}\n`],
    ['bcrypt with other characters', BCRYPT.replace('/', '!')],
    ['bcrypt of cost 3', BCRYPT.replace('$10', '$03')],
    ['phpass that is cut off', PHPASS.slice(0, -1)],
    ['phpass with too few rounds', PHPASS.replace('$B', '$4')],
    ['phpass of another identifier', PHPASS.replace('$P', '$Q')],
    ['scrypt without a salt', `$scrypt$ln=14,r=8,p=1$$${DIGEST}`],
    ['scrypt with parameters in another order', `$scrypt$r=8,ln=14,p=1${END}`],
    ['scrypt with N of 1', `$scrypt$ln=0,r=8,p=1${END}`],
    ['scrypt with N above the bound of its block size', `$scrypt$ln=16,r=1,p=1${END}`],
    ['scrypt with a short digest', `$scrypt$ln=14,r=8,p=1$${SALT}$AAAAAAAAAAAAAAAAAAAA`],
    ['scrypt of Django whose N is no power of two', `scrypt$1000$seasalt$8$5$${DIGEST}=`],
    ['PBKDF2 with another hash function', `$pbkdf2-md5$i=1000${END}`],
    ['PBKDF2 without iterations', `$pbkdf2-sha256$i=0${END}`],
    ['PBKDF2 with a leading zero', `$pbkdf2-sha256$i=01000${END}`],
    ['PBKDF2 with stray bits', `$pbkdf2-sha256$i=1000$${SALT}$${DIGEST.slice(0, -1)}d`],
    ['PBKDF2 without a digest', `$pbkdf2-sha256$i=1000$${SALT}`],
    ['Firebase without a signer key', `$firebase-scrypt$m=14,r=8,ss=Bw==${END}`],
    ['Firebase with a digest of another length', `$firebase-scrypt$m=14,r=8,ss=Bw==,sk=${KEY}${END}`],
    ['a wrapped hash of an unknown scheme', WRAPPED.replace('pbkdf2-sha256', 'pbkdf2-md5')],
    ['a wrapped hash with another length of digest', WRAPPED.replace('l=32', 'l=64')],
    ['a wrapped hash without a foreign salt', WRAPPED.replace(`$${SALT}`, '')],
    ['a wrapped hash with the salt of another scheme', WRAPPED.replace('pbkdf2-sha256$i=1000', '2b$10')],
    ['a wrapped hash within another', WRAPPED.replace('$pbkdf2-sha256$i=1000', NATIVE)],
    ['longer than any hash', `$pbkdf2-sha256$i=1000$${'A'.repeat(4096)}$${DIGEST}`],
  ])('a hash that is %s has no stored form', (_name, hash) => {
    expect(storedFormOf(hash)).toBeUndefined();
  });

  it.each([
    ['bcrypt', '$2b$14', '$2b$15', BCRYPT.slice(6)],
    ['phpass', '$P$H', '$P$I', PHPASS.slice(4)],
    ['PBKDF2', '$pbkdf2-sha512$i=4000000', '$pbkdf2-sha512$i=4000001', END],
    ['scrypt by memory', '$scrypt$ln=18,r=8,p=1', '$scrypt$ln=19,r=8,p=1', END],
    ['scrypt by work', '$scrypt$ln=17,r=8,p=4', '$scrypt$ln=17,r=8,p=5', END],
    ['Firebase', '$firebase-scrypt$m=18,r=8', '$firebase-scrypt$m=19,r=8', END],
    ['Argon2', '$argon2id$v=19$m=1048576,t=2,p=1', '$argon2id$v=19$m=1048576,t=3,p=1', END],
    [
      'a wrapped hash',
      '$wrapped$l=31$argon2id$v=19$m=64,t=1,p=1$2b$14',
      '$wrapped$l=31$argon2id$v=19$m=64,t=1,p=1$2b$15',
      `${BCRYPT.slice(6, 29)}${END}`,
    ],
  ])('the cost of %s is bounded', (_scheme, atBound, beyond, end) => {
    expect(storedFormOf(atBound + end)).toBe(atBound + end);
    expect(storedFormOf(beyond + end)).toBeUndefined();
  });
});
