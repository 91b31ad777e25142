import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestIssuer, type TestIssuer } from './test-issuer.js';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await createTestIssuer();
});

afterAll(() => issuer.close());

/** Verifies as a service does that only verifies. */
async function verify(token: string) {
  const keys = createRemoteJWKSet(new URL(issuer.jwksUrl));
  const expected = { issuer: issuer.issuer, audience: issuer.audience, typ: 'at+jwt', algorithms: ['RS256'] };
  return (await jwtVerify(token, keys, expected)).payload;
}

it('a test issuer issues access tokens that the published keys verify', async () => {
  const token = await issuer.token({
    sub: 'a-user',
    globalRole: 'PLATFORM_ADMIN',
    claims: { plan: 'gold' },
    expiresIn: '5m',
  });
  const payload = await verify(token);
  expect(payload).toMatchObject({ sub: 'a-user', globalRole: 'PLATFORM_ADMIN', plan: 'gold', amr: ['pwd'] });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
});

it('a test issuer returns headers with an access token', async () => {
  const { authorization } = await issuer.headers({ sub: 'a-user' });
  expect((await verify(authorization.replace('Bearer ', ''))).sub).toBe('a-user');
});

describe('makes tokens that are refused', () => {
  it.each([
    [{ expiresIn: -1 }, 'ERR_JWT_EXPIRED'],
    [{ audience: 'another-service' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    [{ issuer: 'https://elsewhere.example.com' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
  ])('a token with %j is rejected', async (wanted, code) => {
    await expect(verify(await issuer.token(wanted))).rejects.toMatchObject({ code });
  });

  it('a token of another issuer is rejected', async () => {
    await using other = await createTestIssuer({ issuer: issuer.issuer });
    await other.rotate();
    await expect(verify(await other.token())).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });
});

it('a test issuer rotates its key, and the former key verifies until it is retired', async () => {
  const before = await issuer.token();
  await issuer.rotate();
  const after = await issuer.token();
  expect(issuer.jwks.keys).toHaveLength(2);
  await verify(before);
  await verify(after);
  await issuer.retireFormerKeys();
  await verify(after);
  await expect(verify(before)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

it.each([
  [{ expiresIn: 'soon' }, /expiresIn is "soon"; give whole seconds/],
  [{ claims: { sub: 'another user' } }, /sub/],
])('a token with %j is an error that says what to do', async (wanted, message) => {
  await expect(issuer.token(wanted)).rejects.toThrow(message);
});
