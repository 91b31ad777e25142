import { createPrivateKey } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { testKeys } from '../../../../test/support/test-keys.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { AccessTokens } from './access-token.js';
import { checkedExtraClaims, MAX_EXTRA_CLAIMS, NO_EXTRA_CLAIMS, RESERVED_CLAIMS } from './extra-claims.js';
import { generateSigningKey } from './generate-signing-key.js';
import { KeySet } from './key-set.js';

const OPTIONS = {
  issuer: 'https://auth.example.com',
  audience: 'latchkey',
  ttl: 900,
  logger: silentLogger,
  clock: systemClock,
};
const SUBJECT = {
  userId: '0192f5a0-7c1e-7000-8000-000000000000',
  sessionId: '0192f5a0-7c1e-7000-8000-000000000001',
  globalRole: 'PLATFORM_SUPERADMIN',
  tokenVersion: 2_147_483_647,
  authTime: 1_700_000_000,
  amr: ['hwk', 'user', 'mfa'],
  acr: 'aal2' as const,
};

/** An instance of a class, which JSON cannot represent. */
class Plan {
  name = 'gold';
}
const circular: Record<string, unknown> = {};
circular.self = circular;

describe('claims of a host app are rejected', () => {
  it.each<[string, unknown, RegExp]>([
    ['that are a promise', Promise.resolve({}), /gave a promise: it is synchronous and pure/],
    ['that have a method `then`', { then: () => undefined }, /gave a promise/],
    ['that are undefined', undefined, /must give a plain object/],
    ['that are null', null, /must give a plain object/],
    ['that are a list', ['a'], /must give a plain object/],
    ['that are text', 'plan=gold', /must give a plain object/],
    ['that are of a class', new Plan(), /must give a plain object/],
    ['that are a Map', new Map([['plan', 'gold']]), /must give a plain object/],
    ['with a date', { since: new Date(0) }, /claims\.since is an object of class Date/],
    ['with a class inside', { of: [new Plan()] }, /claims\.of\[0\] is an object of class Plan/],
    ['with a big number', { seats: 1n }, /claims\.seats is a bigint/],
    ['with NaN', { seats: NaN }, /claims\.seats is NaN/],
    ['with Infinity', { seats: Infinity }, /claims\.seats is Infinity/],
    ['with a function', { plan: () => 'gold' }, /claims\.plan is a function/],
    ['with a symbol', { plan: Symbol('gold') }, /claims\.plan is a symbol/],
    ['with undefined in a list', { plans: [undefined] }, /claims\.plans\[0\] is undefined/],
    ['with a NUL', { plan: 'a\0' }, /claims\.plan is text with a NUL/],
    ['with half a character', { plan: '\ud800' }, /claims\.plan is text with a NUL or an unpaired surrogate/],
    ['with half a character in a name', { plan: { '\udc00': 1 } }, /claims\.plan has a member with the name/],
    ['with a prototype', JSON.parse('{"__proto__":{"admin":true}}'), /gave __proto__: these names belong/],
    ['with a prototype inside', JSON.parse('{"a":{"__proto__":{}}}'), /claims\.a has a member with the name/],
    ['that are circular', circular, /nested deeper than 16 levels/],
    ['that are too long', { text: 'x'.repeat(MAX_EXTRA_CLAIMS) }, /gave 1035 bytes as JSON, at most 1024/],
    ['that are too long in UTF-8', { text: 'ü'.repeat(MAX_EXTRA_CLAIMS / 2) }, /at most 1024/],
  ])('%s', (_what, value, message) => {
    expect(() => checkedExtraClaims(value)).toThrow(TypeError);
    expect(() => checkedExtraClaims(value)).toThrow(message);
  });

  it.each([...RESERVED_CLAIMS])('with the reserved name %s', (name) => {
    const claims: unknown = JSON.parse(`{"plan":"gold","${name}":"x"}`);
    expect(() => checkedExtraClaims(claims)).toThrow(
      `claims gave ${name}: these names belong to the service`,
    );
  });
});

describe('claims of a host app', () => {
  it('omit undefined members, and are empty if no member is left', () => {
    expect(checkedExtraClaims({ plan: undefined, of: { a: undefined } })).toEqual({ of: {} });
    expect(checkedExtraClaims({ plan: undefined })).toBe(NO_EXTRA_CLAIMS);
    expect(checkedExtraClaims(Object.create(null))).toBe(NO_EXTRA_CLAIMS);
  });

  it('are a deeply frozen copy', () => {
    const own = { plan: { seats: [1] } };
    const claims = checkedExtraClaims(own);
    own.plan.seats.push(2);
    expect(claims).toEqual({ plan: { seats: [1] } });
    expect(() => (claims as typeof own).plan.seats.push(3)).toThrow(TypeError);
  });

  it('of any shape are read from a token as they were written, and change no other claim', async () => {
    const tokens = new AccessTokens(await KeySet.fromPem(testKeys().privateKeyPem), OPTIONS);
    const plain = decodeJwt(await tokens.issue(SUBJECT));
    const small = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ unit: 'grapheme' }), small, { maxKeys: 5 }),
        async (wanted) => {
          const claims = accepted(wanted);
          if (!claims) return;
          const token = await tokens.issue({ ...SUBJECT, claims });
          const { jti: _jti, iat: _iat, nbf: _nbf, exp: _exp, ...issued } = decodeJwt(token);
          expect(issued).toMatchObject({
            // JSON has no negative zero.
            ...(JSON.parse(JSON.stringify(claims)) as object),
            sub: plain.sub,
            sid: plain.sid,
            globalRole: plain.globalRole,
          });
          const { claims: first } = await tokens.verify(token);
          expect(first).toEqual(JSON.parse(JSON.stringify(wanted)));
          expect((await tokens.verify(token)).claims).toBe(first);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are the same empty object for all tokens without any', async () => {
    const tokens = new AccessTokens(await KeySet.fromPem(testKeys().privateKeyPem), OPTIONS);
    const verified = await tokens.verify(await tokens.issue(SUBJECT));
    expect(verified.claims).toBe(NO_EXTRA_CLAIMS);
    expect(Object.isFrozen(verified.claims)).toBe(true);
  });

  it('cannot replace claims of the service, whatever is signed', async () => {
    const keys = await KeySet.fromPem(testKeys().privateKeyPem);
    const tokens = new AccessTokens(keys, OPTIONS);
    const claims = { globalRole: 'NONE', sub: 'another user', sid: 'none', plan: 'gold' };
    const { claims: extra, ...verified } = await tokens.verify(await tokens.issue({ ...SUBJECT, claims }));
    expect(verified).toMatchObject(SUBJECT);
    expect(extra).toEqual({ plan: 'gold' });
  });

  it('of a token signed elsewhere with the same key do not set a prototype', async () => {
    const keys = await KeySet.fromPem(testKeys().privateKeyPem);
    const ours = decodeJwt(await new AccessTokens(keys, OPTIONS).issue(SUBJECT));
    const payload = JSON.parse(`{"__proto__":{"admin":true},"plan":"gold"}`) as object;
    const token = await new SignJWT(
      Object.defineProperties({ ...ours }, Object.getOwnPropertyDescriptors(payload)),
    )
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: keys.signingKeyId })
      .sign(createPrivateKey(testKeys().privateKeyPem));
    const { claims } = await new AccessTokens(keys, OPTIONS).verify(token);
    expect(claims).toEqual({ plan: 'gold' });
    expect(claims.admin).toBeUndefined();
  });
});

it('a token with the longest claims, the longest key and a long issuer fits into a cookie', async () => {
  const keys = await KeySet.fromPem(await generateSigningKey(4096));
  const issuer = `https://${'a'.repeat(100)}.${'b'.repeat(100)}.example.com`;
  const tokens = new AccessTokens(keys, {
    ...OPTIONS,
    issuer,
  });
  const claims = checkedExtraClaims({ text: 'x'.repeat(MAX_EXTRA_CLAIMS - '{"text":""}'.length) });
  const cookie = `__Host-lk_access=${await tokens.issue({ ...SUBJECT, claims })}; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax`;
  expect(cookie.length).toBeLessThan(4096);
});

/** Returns the checked claims, or undefined if they are rejected. */
function accepted(wanted: unknown) {
  try {
    return checkedExtraClaims(wanted);
  } catch {
    return undefined;
  }
}
