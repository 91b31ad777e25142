import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../kernel/secret.js';
import { pepperFromKey, pepperFromText, RefreshTokens } from './refresh-token.js';

const pepper = (name: string) => pepperFromText(name, 'test');
const tokens = new RefreshTokens([pepper('one')]);

describe('a refresh token', () => {
  it('is opaque text of a fixed length', () => {
    expect(tokens.encode(tokens.first())).toMatch(/^lkr_[A-Za-z0-9_-]{72}$/);
  });

  it('is never issued twice', () => {
    expect(new Set(Array.from({ length: 500 }, () => tokens.encode(tokens.first()))).size).toBe(500);
  });

  it('is decoded as it was encoded', () => {
    const parts = fc.record({
      selector: fc.uint8Array({ minLength: 18, maxLength: 18 }),
      generation: fc.integer({ min: 0, max: 0x7ffffffe }),
      secret: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    });
    fc.assert(
      fc.property(parts, ({ selector, generation, secret }) => {
        const token = { selector: Buffer.from(selector), generation, secret: Buffer.from(secret) };
        expect(tokens.decode(tokens.encode(token))).toEqual(token);
      }),
    );
  });

  it('has exactly one encoding', () => {
    const text = tokens.encode(tokens.first());
    const others = [text.toUpperCase(), ` ${text}`, `${text}\n`, `${text}=`, text.slice(0, -1), `${text}A`];
    for (const other of others) expect(tokens.decode(other), other).toBeUndefined();
  });

  it('cannot be text of another form', () => {
    fc.assert(fc.property(fc.string({ maxLength: 120 }), (text) => tokens.decode(text) === undefined));
  });

  it('has a generation that fits into the database column', () => {
    const text = (generation: number) => {
      const bytes = randomBytes(54);
      bytes.writeUInt32BE(generation, 18);
      return `lkr_${bytes.toString('base64url')}`;
    };
    expect(tokens.decode(text(0x7ffffffe))?.generation).toBe(0x7ffffffe);
    expect(tokens.decode(text(0x7fffffff))).toBeUndefined();
    expect(tokens.decode(text(0xffffffff))).toBeUndefined();
  });
});

describe('a successor', () => {
  it('is the same on every request and every replica', () => {
    const first = tokens.first();
    const replica = new RefreshTokens([pepper('one')]);
    expect(replica.successorOf(first)).toEqual(tokens.successorOf(first));
  });

  it('keeps the selector, increments the generation and has a secret of its own', () => {
    const first = tokens.first();
    const second = tokens.successorOf(first);
    const third = tokens.successorOf(second);
    expect([second.generation, third.generation]).toEqual([1, 2]);
    expect([second.selector, third.selector]).toEqual([first.selector, first.selector]);
    expect(new Set([first, second, third].map(({ secret }) => secret.toString('hex'))).size).toBe(3);
  });

  it('cannot be derived without the pepper', () => {
    const first = tokens.first();
    expect(new RefreshTokens([pepper('two')]).successorOf(first).secret).not.toEqual(
      tokens.successorOf(first).secret,
    );
  });

  it('is found by its digest, with whichever pepper it was derived', () => {
    const first = tokens.first();
    const byOld = tokens.successorOf(first);
    const rotated = new RefreshTokens([pepper('two'), pepper('one')]);
    expect(rotated.successorWithDigest(first, digestOf(byOld.secret))).toEqual(byOld);
    const byNew = rotated.successorOf(first);
    expect(rotated.successorWithDigest(first, digestOf(byNew.secret))).toEqual(byNew);
    expect(tokens.successorWithDigest(first, digestOf(byNew.secret))).toBeUndefined();
  });
});

describe('a genuine token', () => {
  it('is any token that was issued, whatever its generation', () => {
    let token = tokens.first();
    for (let turn = 0; turn < 20; turn++) {
      expect(tokens.isGenuine(token)).toBe(true);
      token = tokens.successorOf(token);
    }
  });

  it('is none with any changed byte', () => {
    const token = tokens.successorOf(tokens.first());
    const text = Buffer.from(tokens.encode(token).slice(4), 'base64url');
    for (let position = 0; position < text.length; position++) {
      const bytes = Buffer.from(text);
      bytes[position] = (bytes[position] ?? 0) ^ 1;
      const changed = tokens.decode(`lkr_${bytes.toString('base64url')}`);
      expect(changed && tokens.isGenuine(changed), `byte ${position}`).toBe(false);
    }
  });

  it('is also one of an older pepper, as long as that is configured', () => {
    const token = tokens.first();
    expect(new RefreshTokens([pepper('two'), pepper('one')]).isGenuine(token)).toBe(true);
    expect(new RefreshTokens([pepper('two')]).isGenuine(token)).toBe(false);
  });
});

describe('a pepper', () => {
  it('is derived from a key or a text, always the same, and differs by purpose', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(pepperFromKey(privateKey, 'a')).toEqual(pepperFromKey(privateKey, 'a'));
    expect(pepperFromKey(privateKey, 'a')).not.toEqual(pepperFromKey(privateKey, 'b'));
    expect(pepperFromText('text', 'a')).not.toEqual(pepperFromText('text', 'b'));
    expect(pepperFromText('text', 'a')).toHaveLength(32);
  });

  it('is required', () => {
    expect(() => new RefreshTokens([])).toThrow(TypeError);
  });
});
