import { createPrivateKey, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { otherTestKeys, testKeys } from '../../../../test/support/test-keys.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import type { AccessTokenClaims } from './access-token-claims.js';
import { AccessTokens } from './access-token.js';
import { KeySet } from './key-set.js';

const OPTIONS = {
  issuer: 'https://auth.example.com',
  audience: 'latchkey',
  ttl: 900,
  clock: systemClock,
  logger: silentLogger,
};
const CLAIMS: AccessTokenClaims = {
  userId: randomUUID(),
  sessionId: randomUUID(),
  globalRole: 'NONE',
  tokenVersion: 3,
  authTime: 1_700_000_000,
  amr: ['pwd'],
  acr: 'aal1',
};

let keys: KeySet;
let tokens: AccessTokens;
beforeAll(async () => {
  keys = await KeySet.fromPem(testKeys().privateKeyPem);
  tokens = new AccessTokens(keys, OPTIONS);
});
afterEach(() => {
  vi.useRealTimers();
});

const seconds = () => Math.floor(Date.now() / 1000);

/** Changes the clock only, not the timers. */
const setClock = (offset: number) => vi.useFakeTimers({ now: Date.now() + offset * 1000, toFake: ['Date'] });

interface Forgery {
  claims?: JWTPayload;
  header?: Record<string, unknown>;
  privateKeyPem?: string;
}

/** Returns a valid token, except for the given changes. */
function sign({ claims, header, privateKeyPem = testKeys().privateKeyPem }: Forgery): Promise<string> {
  const now = seconds();
  return new SignJWT({
    iss: OPTIONS.issuer,
    aud: OPTIONS.audience,
    sub: CLAIMS.userId,
    sid: CLAIMS.sessionId,
    jti: randomUUID(),
    iat: now,
    nbf: now,
    exp: now + 900,
    auth_time: now,
    amr: ['pwd'],
    acr: 'aal1',
    globalRole: 'NONE',
    tokenVersion: 3,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: keys.signingKeyId, ...header })
    .sign(createPrivateKey(privateKeyPem));
}

const expectRejected = (token: string) =>
  expect(tokens.verify(token)).rejects.toMatchObject({ name: 'AuthError', code: 'unauthorized' });

describe('an issued token', () => {
  it('has the profile of RFC 9068 and no personal data', async () => {
    const token = await tokens.issue(CLAIMS);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: keys.signingKeyId });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: OPTIONS.issuer,
      aud: 'latchkey',
      sub: CLAIMS.userId,
      iat: expect.any(Number) as number,
      nbf: claims.iat,
      exp: (claims.iat ?? 0) + 900,
      jti: expect.any(String) as string,
      sid: CLAIMS.sessionId,
      client_id: 'latchkey',
      auth_time: CLAIMS.authTime,
      amr: ['pwd'],
      acr: 'aal1',
      globalRole: 'NONE',
      tokenVersion: 3,
    });
  });

  it('has a unique id', async () => {
    const ids = await Promise.all([1, 2].map(async () => decodeJwt(await tokens.issue(CLAIMS)).jti));
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is verified, the first time and from the cache', async () => {
    const token = await tokens.issue(CLAIMS);
    for (let turn = 0; turn < 2; turn++) expect(await tokens.verify(token)).toMatchObject(CLAIMS);
  });
});

describe('a token is refused', () => {
  it('unless it is valid, as a control', async () => {
    expect(await tokens.verify(await sign({}))).toMatchObject({ userId: CLAIMS.userId });
  });

  it.each<[string, Forgery]>([
    ['of another issuer', { claims: { iss: 'https://evil.example.com' } }],
    ['for another audience', { claims: { aud: 'other' } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['that is a service token', { header: { typ: 'service+jwt' } }],
    ['without a type', { header: { typ: undefined } }],
    ['without a key id', { header: { kid: undefined } }],
    ['with an unknown key id', { header: { kid: 'unknown' } }],
    ['of another algorithm', { header: { alg: 'PS256' } }],
    ['that has expired', { claims: { exp: seconds() - 6 } }],
    ['that is not valid yet', { claims: { nbf: seconds() + 60 } }],
    ['that was issued in the future', { claims: { iat: seconds() + 60 } }],
    ['with a version that is no number', { claims: { tokenVersion: '3' } }],
    ['with a role that is no text', { claims: { globalRole: null } }],
  ])('%s', async (_what, forgery) => {
    await expectRejected(await sign(forgery));
  });

  it.each([
    'iss',
    'aud',
    'sub',
    'sid',
    'jti',
    'iat',
    'nbf',
    'exp',
    'auth_time',
    'globalRole',
    'tokenVersion',
  ])('without %s', async (claim) => {
    await expectRejected(await sign({ claims: { [claim]: undefined } }));
  });

  it('that another key has signed under the id of ours', async () => {
    await expectRejected(await sign({ privateKeyPem: otherTestKeys().privateKeyPem }));
  });

  it('that is not signed, or by the public key as a shared secret', async () => {
    await expectRejected(new UnsecuredJWT({ sub: CLAIMS.userId }).encode());
    const secret = new TextEncoder().encode(testKeys().publicKeyPem);
    const header = { alg: 'HS256', typ: 'at+jwt', kid: keys.signingKeyId };
    await expectRejected(
      await new SignJWT(decodeJwt(await sign({}))).setProtectedHeader(header).sign(secret),
    );
  });

  it('with one character changed at any position', async () => {
    const token = await tokens.issue(CLAIMS);
    for (let position = 0; position < token.length; position += 7) {
      const changed = token[position] === 'x' ? 'y' : 'x';
      await expectRejected(token.slice(0, position) + changed + token.slice(position + 1));
    }
  });

  it.each(['', '.', '..', '...', 'a.b.c', 'null', '{}'])('that is not a token: "%s"', async (text) => {
    await expectRejected(text);
  });
});

describe('a token that was verified before', () => {
  it('is rejected when it has expired since', async () => {
    const token = await tokens.issue(CLAIMS);
    await tokens.verify(token);
    setClock(904);
    await tokens.verify(token);
    setClock(2);
    await expectRejected(token);
    vi.useRealTimers();
    await tokens.verify(token);
  });

  it('is rejected when the clock is set back before its issue time', async () => {
    const token = await tokens.issue(CLAIMS);
    await tokens.verify(token);
    setClock(-10);
    await expectRejected(token);
  });
});

it('a key that no longer signs still verifies tokens until it is removed from the set', async () => {
  const token = await tokens.issue(CLAIMS);
  const [now, before] = [otherTestKeys(), testKeys()];
  const overlapping = new AccessTokens(await KeySet.fromPem(now.privateKeyPem, before.publicKeyPem), OPTIONS);
  expect(await overlapping.verify(token)).toMatchObject(CLAIMS);
  const without = new AccessTokens(await KeySet.fromPem(now.privateKeyPem), OPTIONS);
  await expect(without.verify(token)).rejects.toMatchObject({ code: 'unauthorized' });
});
