import { createPrivateKey, randomUUID } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { otherTestKeys, testKeys } from '../../../../test/support/test-keys.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { AccessTokens } from './access-token.js';
import { KeySet } from './key-set.js';
import { PublishedKeys } from './published-keys.js';
import { ServiceTokens } from './service-token.js';
import { TokenFault } from './token-fault.js';
import { decodeToken, judgeToken, type TokenVerdict } from './token-inspection.js';

const EXPECTED = { issuer: 'https://auth.example.com', audience: 'latchkey' };

let keys: KeySet;
let published: PublishedKeys;
beforeAll(async () => {
  keys = await KeySet.fromPem(testKeys().privateKeyPem);
  published = PublishedKeys.fromJwks(keys.toJwks());
});

const accessToken = (ttl = 900): Promise<string> =>
  new AccessTokens(keys, {
    logger: silentLogger,
    clock: systemClock,
    ...EXPECTED,
    ttl,
  }).issue({
    userId: randomUUID(),
    sessionId: randomUUID(),
    globalRole: 'NONE',
    tokenVersion: 1,
    authTime: 1,
    amr: ['pwd'],
    acr: 'aal1',
  });
const serviceToken = (audience: string): Promise<string> =>
  new ServiceTokens(keys, { issuer: EXPECTED.issuer, ttl: 60, clock: systemClock }).issue({
    clientId: 'billing',
    audience,
    scopes: ['internal:read'],
  });

const judge = (token: string): Promise<TokenVerdict> => judgeToken(token, published, EXPECTED);

interface Forgery {
  claims?: JWTPayload;
  header?: Record<string, unknown>;
  privateKeyPem?: string;
}

async function forged({
  claims,
  header,
  privateKeyPem = testKeys().privateKeyPem,
}: Forgery): Promise<string> {
  const genuine = decodeToken(await accessToken());
  return new SignJWT({ ...genuine.claims, ...claims })
    .setProtectedHeader({ alg: 'RS256', ...genuine.header, ...header })
    .sign(createPrivateKey(privateKeyPem));
}

describe('a verdict', () => {
  it('accepts both kinds of tokens with the published keys alone', async () => {
    expect(await judge(await accessToken())).toMatchObject({ isValid: true, kind: 'access' });
    expect(await judge(await serviceToken('latchkey'))).toEqual({ isValid: true, kind: 'service' });
  });

  const past = Math.floor(Date.now() / 1000) - 60;
  it.each<[string, Forgery, string, RegExp]>([
    ['another issuer', { claims: { iss: 'https://evil.example.com' } }, 'issuer', /"https:\/\/evil.*", not/],
    ['another audience', { claims: { aud: 'ledger' } }, 'audience', /"ledger", not "latchkey"/],
    ['another type', { header: { typ: 'JWT' } }, 'type', /"JWT", not at\+jwt/],
    ['another algorithm', { header: { alg: 'PS256' } }, 'algorithm', /"PS256", not RS256/],
    ['no key id', { header: { kid: undefined } }, 'key', /missing is not in the key set/],
    ['an unknown key', { header: { kid: 'x' } }, 'key', /"x" is not in the key set/],
    [
      'a foreign signature',
      { privateKeyPem: otherTestKeys().privateKeyPem },
      'signature',
      /not made by the key/,
    ],
    ['an expired token', { claims: { exp: past } }, 'expiry', /expired/],
    ['a start time in the future', { claims: { nbf: past + 120 } }, 'start', /not valid yet/],
    ['an issue time in the future', { claims: { iat: past + 120 } }, 'start', /not valid yet/],
    ['a missing claim', { claims: { sid: undefined } }, 'claims', /"sid"/],
    ['a claim of another kind', { claims: { tokenVersion: '1' } }, 'claims', /not those of an access token/],
  ])('names %s', async (_what, forgery, failed, reason) => {
    const verdict = await judge(await forged(forgery));
    expect(verdict).toMatchObject({
      isValid: false,
      failed,
      reason: expect.stringMatching(reason) as string,
    });
  });

  it('names changed tokens of both kinds, and text that is no token', async () => {
    const changed = (token: string) => token.replace(/\.[^.]+\./, (part) => part.replace(/e/, 'f'));
    expect(await judge(changed(await serviceToken('latchkey')))).toMatchObject({ isValid: false });
    expect(await judge(`${await accessToken()}=`)).toMatchObject({ failed: 'form' });
    expect(await judge('lkr_nothing')).toMatchObject({ failed: 'form', kind: undefined });
    expect(await judge(await serviceToken('ledger'))).toMatchObject({ failed: 'audience', kind: 'service' });
  });
});

describe('a published key set', () => {
  it('contains keys that can verify RS256 and ignores all others', () => {
    const [jwk] = keys.toJwks().keys;
    const set = PublishedKeys.fromJwks({
      keys: [{ kty: 'EC', kid: 'ec' }, { ...jwk, kid: undefined }, 'x', jwk],
    });
    expect(set.keyIds).toEqual([jwk?.kid]);
  });

  it.each([[null], [[]], [{}], [{ keys: 'x' }]])('is not %j', (value) => {
    expect(() => PublishedKeys.fromJwks(value)).toThrow(TypeError);
  });
});

it('text that is not a signed JWT cannot be decoded', () => {
  for (const text of ['', 'a.b', 'a.b.c.d.e', 'lkr_x', '{}', 'a.b.c']) {
    expect(() => decodeToken(text), text).toThrow(TokenFault);
  }
});
