import { describe, expect, it } from 'vitest';
import { bareBase64, knownHash } from './foreign-hash.js';

describe('a password hash of a source', () => {
  it.each([
    '$argon2i$v=19$m=4096,t=3,p=1$c2FsdA$ZGlnZXN0',
    'argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdA$ZGlnZXN0',
    '$2y$12$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2',
    'bcrypt$$2b$12$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2',
    '$P$BIRXVj/ZG0YRiBH8gnRy0x72BXxKoZ1',
    '$scrypt$ln=14,r=8,p=1$c2FsdA$ZGlnZXN0',
    'scrypt$16384$salt$8$5$ZGlnZXN0',
    '$pbkdf2-sha512$i=210000$c2FsdA$ZGlnZXN0',
    '$pbkdf2-sha256$29000$c2FsdA$ZGlnZXN0',
    'pbkdf2_sha256$260000$salt$ZGlnZXN0',
  ])('of a known form is kept: %s', (hash) => {
    const notes: string[] = [];
    expect(knownHash(hash, notes)).toBe(hash);
    expect(notes).toEqual([]);
  });

  it.each([
    ['bcrypt_sha256$$2b$12$x', 'is of the scheme bcrypt_sha256,'],
    ['$6$rounds=5000$salt$digest', 'is of the scheme 6,'],
    ['sha1$salt$digest', 'is of the scheme sha1,'],
    ['5f4dcc3b5aa765d61d8327deb882cf99', 'is of an unknown scheme'],
    [`$2b$10$${'x'.repeat(2048)}`, 'is of the scheme 2b,'],
  ])('of another form is left out with a note: %s', (hash, note) => {
    const notes: string[] = [];
    expect(knownHash(hash, notes)).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  it('has salts in base64 of either alphabet, which become standard base64 without padding', () => {
    expect(bareBase64('-_-_')).toBe('+/+/');
    expect(bareBase64('c2FsdA==')).toBe('c2FsdA');
    expect(bareBase64('no base64!')).toBeUndefined();
    expect(bareBase64('')).toBeUndefined();
  });
});
