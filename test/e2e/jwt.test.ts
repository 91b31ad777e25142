import { createPublicKey, randomUUID, sign } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompactEncrypt, importSPKI } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ON_NEXT, ON_THE_SERVER } from '../support/binding.js';
import {
  signHs256,
  signingInput,
  signRs256,
  signSpelled,
  takeApart,
  type TokenParts,
} from '../support/forged-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { otherTestKeys, testKeys } from '../support/test-keys.js';
import type { TestUser } from '../support/test-users.js';

const SHARED_SECRET = 'a symmetric secret that must not be read';
const UNAUTHORIZED = { status: 401, code: 'unauthorized' };

let service: TestService;
let user: TestUser & { accessToken: string };
let good: TokenParts;
beforeAll(async () => {
  service = await startTestService({ env: { JWT_SECRET: SHARED_SECRET } });
  user = await service.signedIn();
});
beforeEach(() => {
  good = takeApart(user.accessToken);
});
afterAll(() => service.stop());

const me = (token: string) => service.api('GET', '/auth/me', { token });
const withClaims = (claims: Record<string, unknown>): TokenParts => ({
  ...good,
  claims: { ...good.claims, ...claims },
});
const withHeader = (header: Record<string, unknown>): TokenParts => ({
  ...good,
  header: { ...good.header, ...header },
});
const now = () => Math.floor(Date.now() / 1000);

it('a token that the tests sign with the right key and claims is accepted', async () => {
  expect((await me(signRs256(good))).status).toBe(200);
});

describe('a token with the right signature', () => {
  it.each<[string, () => Record<string, unknown>]>([
    ['it expired more than the leeway ago', () => ({ exp: now() - 6 })],
    ['it has no expiry', () => ({ exp: undefined })],
    ['its expiry is text', () => ({ exp: String(now() + 900) })],
    ['it is not valid yet', () => ({ nbf: now() + 60 })],
    ['it has no start', () => ({ nbf: undefined })],
    ['it was issued in the future', () => ({ iat: now() + 60 })],
    ['it has no time of issue', () => ({ iat: undefined })],
    ['it comes from another issuer', () => ({ iss: 'https://evil.example' })],
    ['it has no issuer', () => ({ iss: undefined })],
    ['it is meant for another audience', () => ({ aud: 'another-service' })],
    ['it has no audience', () => ({ aud: undefined })],
    ['it names no user', () => ({ sub: undefined })],
    ['it names another user', () => ({ sub: randomUUID() })],
    ['it names no session', () => ({ sid: undefined })],
    ['it names a session that does not exist', () => ({ sid: randomUUID() })],
    ['its session is no UUID', () => ({ sid: 'x' })],
    ['its session is a list', () => ({ sid: [good.claims.sid] })],
    ['it has no id', () => ({ jti: undefined })],
    ['it has no token version', () => ({ tokenVersion: undefined })],
    ['its token version is older', () => ({ tokenVersion: 0 })],
    ['its token version is newer', () => ({ tokenVersion: 2 })],
  ])('a token with the right signature is refused when %s', async (_what, claims) => {
    expect(await me(signRs256(withClaims(claims())))).toMatchObject(UNAUTHORIZED);
  });

  it.each<[string, Record<string, unknown>]>([
    ['it is of no type', { typ: undefined }],
    ['it is a plain JWT', { typ: 'JWT' }],
    ['it is a service token', { typ: 'service+jwt' }],
    ['it names no key', { kid: undefined }],
    ['it names an unknown key', { kid: 'unknown' }],
    ['it names its key by a path', { kid: '../../../../dev/null' }],
    ['it has a critical header that is unknown', { crit: ['x-unknown'], 'x-unknown': true }],
    ['its payload is not encoded', { crit: ['b64'], b64: false }],
    ['it says another algorithm', { alg: 'RS512' }],
    ['it says another signature scheme', { alg: 'PS256' }],
    ['it says none', { alg: 'none' }],
  ])('a token with the right signature is refused when %s', async (_what, header) => {
    expect(await me(signRs256(withHeader(header)))).toMatchObject(UNAUTHORIZED);
  });

  it('a token with a real RS512 signature is refused', async () => {
    const input = signingInput(withHeader({ alg: 'RS512' }));
    const signature = sign('sha512', Buffer.from(input), testKeys().privateKeyPem);
    expect(await me(`${input}.${signature.toString('base64url')}`)).toMatchObject(UNAUTHORIZED);
  });

  it.each<[string, Record<string, string>]>([
    ['its expiry is beyond all numbers', { exp: '1e400' }],
    ['its time of issue is before all numbers', { iat: '-1e400' }],
    ['its start is before all numbers', { nbf: '-1e400' }],
    ['the time of its sign-in is beyond all numbers', { auth_time: '1e400' }],
    ['its expiry is no exact number', { exp: '9007199254740993' }],
    ['its expiry is a fraction', { exp: `${now() + 900}.5` }],
  ])('a token with the right signature is refused when %s', async (_what, spelled) => {
    expect(await me(signSpelled(good, spelled))).toMatchObject(UNAUTHORIZED);
  });

  it('a token within the leeway of five seconds is accepted', async () => {
    expect((await me(signRs256(withClaims({ exp: now() - 2 })))).status).toBe(200);
    expect((await me(signRs256(withClaims({ nbf: now() + 3, iat: now() + 3 })))).status).toBe(200);
  });
});

describe('a token without the right signature', () => {
  it.each(['none', 'None', 'NONE', 'nOnE', ''])('a token with the algorithm "%s" is refused', async (alg) => {
    const input = signingInput(withHeader({ alg }));
    const signature = user.accessToken.split('.')[2] ?? '';
    expect(await me(`${input}.`)).toMatchObject(UNAUTHORIZED);
    expect(await me(`${input}.${signature}`)).toMatchObject(UNAUTHORIZED);
  });

  it('a token with HMAC by anything an attacker may know is refused', async () => {
    const { publicKeyPem } = testKeys();
    const publicKey = createPublicKey(publicKeyPem);
    const secrets = [
      SHARED_SECRET,
      publicKeyPem,
      publicKeyPem.trim(),
      publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      publicKey.export({ type: 'spki', format: 'der' }),
      String(publicKey.export({ format: 'jwk' }).n),
      Buffer.from(String(publicKey.export({ format: 'jwk' }).n), 'base64url'),
      '',
    ];
    for (const secret of secrets) {
      for (const kid of [good.header.kid, undefined]) {
        const token = signHs256(withHeader({ alg: 'HS256', kid }), secret);
        expect(await me(token)).toMatchObject(UNAUTHORIZED);
      }
    }
  });

  it('a token with a key that it brings along or points to is refused', async () => {
    const { privateKeyPem, publicKeyPem } = otherTestKeys();
    const jwk = createPublicKey(publicKeyPem).export({ format: 'jwk' });
    const invitations = [
      {},
      { jwk },
      { jwk, kid: undefined },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example' },
    ];
    for (const header of invitations) {
      expect(await me(signRs256(withHeader(header), privateKeyPem))).toMatchObject(UNAUTHORIZED);
    }
  });

  it('a token whose header, payload or signature were changed is refused', async () => {
    const [header, payload, signature] = user.accessToken.split('.');
    const promoted = signingInput(withClaims({ globalRole: 'PLATFORM_SUPERADMIN' })).split('.')[1];
    const tokens = [
      `${header}.${promoted}.${signature}`,
      `${signingInput(withHeader({ extra: 1 })).split('.')[0]}.${payload}.${signature}`,
      `${header}.${payload}.${signature?.slice(0, -4)}`,
      `${header}.${payload}.${flip(signature ?? '', 10)}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
    ];
    for (const token of tokens) expect(await me(token)).toMatchObject(UNAUTHORIZED);
  });

  it('a token with another spelling of the signature is refused', async () => {
    const [header, payload, signature = ''] = user.accessToken.split('.');
    // The last character holds two bits of the signature; the other four must be zero.
    const spellings =
      ['ABCD', 'QRST', 'ghij', 'wxyz'].find((last) => last.includes(signature.slice(-1))) ?? '';
    const others = Array.from(spellings.slice(1), (last) => signature.slice(0, -1) + last);
    others.push(`${signature}=`, `${signature}==`);
    for (const other of others) {
      expect(await me(`${header}.${payload}.${other}`)).toMatchObject(UNAUTHORIZED);
    }
  });
});

describe('a token that is no compact JWS', () => {
  it('a token in the other forms of RFC 7515 and 7516 is refused', async () => {
    const [header, payload, signature] = user.accessToken.split('.');
    const key = await importSPKI(testKeys().publicKeyPem, 'RSA-OAEP-256');
    const encrypted = await new CompactEncrypt(Buffer.from(user.accessToken))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'at+jwt' })
      .encrypt(key);
    const tokens = [
      JSON.stringify({ protected: header, payload, signature }),
      encrypted,
      `${user.accessToken}.`,
      `${user.accessToken}.${signature}`,
      `.${user.accessToken}`,
      `${header}..${signature}`,
      '..',
      'x',
    ];
    for (const token of tokens) expect(await me(token)).toMatchObject(UNAUTHORIZED);
  });

  it('a token with blanks inside, or with anything after it, is refused', async () => {
    const middle = user.accessToken.indexOf('.');
    const split = `${user.accessToken.slice(0, middle)} ${user.accessToken.slice(middle)}`;
    for (const token of [split, `${user.accessToken}, x`, `${user.accessToken} x`, `"${user.accessToken}"`]) {
      expect(await me(token)).toMatchObject(UNAUTHORIZED);
    }
  });

  it.runIf(ON_THE_SERVER)('a token of 64 KiB is refused', async () => {
    const answer = await service.client.send('GET', '/auth/me', { token: 'a'.repeat(65_536) });
    expect(answer).toMatchObject({ status: 431, code: 'validation_error' });
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('a token of 10 KiB is refused', async () => {
    const token = signRs256(withClaims({ sid: 'x'.repeat(7_000) }));
    expect(await me(token)).toMatchObject(UNAUTHORIZED);
  });
});

describe('the Authorization header', () => {
  const authorized = (authorization: string | string[]) =>
    service.api('GET', '/auth/me', { headers: { authorization } as OutgoingHttpHeaders });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'the Authorization header may say "%s"',
    async (scheme) => {
      expect((await authorized(`${scheme} ${user.accessToken}`)).status).toBe(200);
    },
  );

  it('the Authorization header challenges with Bearer when it is missing or of no use', async () => {
    const headers = [
      '',
      'Bearer',
      'Bearer ',
      'Basic YWRhOnB3',
      'Digest x',
      'garbage',
      user.accessToken,
      `Token ${user.accessToken}`,
    ];
    const answers = [await service.api('GET', '/auth/me')];
    for (const header of headers) answers.push(await authorized(header));
    for (const answer of answers) {
      expect(answer).toMatchObject(UNAUTHORIZED);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it.skipIf(ON_NEXT)('the Authorization header is accepted only when it is sent once', async () => {
    const right = `Bearer ${user.accessToken}`;
    for (const pair of [
      [right, 'Bearer x'],
      ['Bearer x', right],
      [right, right],
    ]) {
      expect([400, 401]).toContain((await authorized(pair)).status);
    }
  });

  it('the Authorization header is the only place a token is taken from', async () => {
    const { accessToken } = user;
    const elsewhere = [
      await service.api('GET', `/auth/me?access_token=${accessToken}`),
      await service.api('GET', `/auth/me?token=${accessToken}`),
      await service.api('GET', '/auth/me', { headers: { cookie: `access_token=${accessToken}` } }),
      await service.api('GET', '/auth/me', { headers: { cookie: `__Host-lk_access=${accessToken}` } }),
      await service.api('GET', '/auth/me', { headers: { 'x-access-token': accessToken } }),
      await service.api('PATCH', '/auth/me', { body: { access_token: accessToken, fullName: 'New Name' } }),
    ];
    for (const answer of elsewhere) expect(answer).toMatchObject(UNAUTHORIZED);
  });

  it('the Authorization header does not take a refresh token', async () => {
    const { refreshToken } = await service.signIn(user);
    expect(await me(refreshToken)).toMatchObject(UNAUTHORIZED);
  });
});

describe('the state behind a token', () => {
  it('a raised token version makes a token outdated while its session lives on', async () => {
    const other = await service.signedIn();
    await service.machine('PATCH', `/internal/admin/users/${other.id}`, {
      body: { globalRole: 'PLATFORM_MODERATOR' },
    });
    expect(await me(other.accessToken)).toMatchObject(UNAUTHORIZED);
    const { refreshToken } = other;
    const refreshed = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
    expect(await me(refreshed.data.accessToken)).toMatchObject({
      status: 200,
      data: { globalRole: 'PLATFORM_MODERATOR', tokenVersion: 2 },
    });
  });

  it('a role inside the token has no effect', async () => {
    const token = signRs256(withClaims({ globalRole: 'PLATFORM_SUPERADMIN' }));
    expect((await me(token)).data.globalRole).toBe('NONE');
    expect(await service.api('GET', '/internal/users', { token })).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });

  it('a deactivated user has no session left', async () => {
    const other = await service.signedIn();
    await service.machine('DELETE', `/internal/admin/users/${other.id}`);
    expect(await me(other.accessToken)).toMatchObject({ status: 401, code: 'session_revoked' });
  });

  it('a user who was deactivated directly in the database gets account_inactive', async () => {
    const other = await service.signedIn();
    await service.sql('UPDATE users SET is_active = false WHERE id = $1', [other.id]);
    expect(await me(other.accessToken)).toMatchObject({ status: 403, code: 'account_inactive' });
  });

  it('a token of a deleted user is unauthorized', async () => {
    const other = await service.signedIn();
    await service.sql('DELETE FROM users WHERE id = $1', [other.id]);
    expect(await me(other.accessToken)).toMatchObject(UNAUTHORIZED);
  });

  it('an expired session is unauthorized, and a revoked one gets session_revoked even when expired', async () => {
    const other = await service.signedIn();
    const expire = `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`;
    await service.sql(expire, [other.id]);
    expect(await me(other.accessToken)).toMatchObject(UNAUTHORIZED);
    await service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE user_id = $1', [
      other.id,
    ]);
    expect(await me(other.accessToken)).toMatchObject({ status: 401, code: 'session_revoked' });
  });
});

describe('the lifetime of a session', () => {
  const refresh = (refreshToken: string, at = service) =>
    at.api('POST', '/auth/refresh', { body: { refreshToken } });
  /** Moves all times of the user's sessions into the past. */
  const letPass = (userId: string, time: string) =>
    service.sql(
      `UPDATE sessions SET created_at = created_at - $2::interval, last_used_at = last_used_at - $2::interval,
         rotated_at = rotated_at - $2::interval, expires_at = expires_at - $2::interval WHERE user_id = $1`,
      [userId, time],
    );

  it('a session is over after 14 days without a refresh', async () => {
    const other = await service.signedIn();
    await letPass(other.id, '13 days 23 hours');
    expect((await me(other.accessToken)).status).toBe(200);
    await letPass(other.id, '61 minutes');
    expect(await me(other.accessToken)).toMatchObject(UNAUTHORIZED);
    expect(await refresh(other.refreshToken)).toMatchObject(UNAUTHORIZED);
  });

  it('a session is over after 30 days, however often it is refreshed', async () => {
    const { id: userId, ...signedIn } = await service.signedIn();
    let pair: Pick<typeof signedIn, 'accessToken' | 'refreshToken'> = signedIn;
    for (let day = 10; day <= 20; day += 10) {
      await letPass(userId, '10 days');
      const refreshed = await refresh(pair.refreshToken);
      expect(refreshed.status).toBe(200);
      pair = refreshed.data;
    }
    await letPass(userId, '9 days 23 hours');
    expect((await me(pair.accessToken)).status).toBe(200);
    await letPass(userId, '61 minutes');
    expect(await me(pair.accessToken)).toMatchObject(UNAUTHORIZED);
    expect(await refresh(pair.refreshToken)).toMatchObject(UNAUTHORIZED);
  });

  it('the lifetime of a session is configurable', async () => {
    const env = { ACCESS_TOKEN_TTL: '60', REFRESH_TOKEN_TTL: '2', SESSION_MAX_LIFETIME: '10' };
    const short = await serviceForThisTest({ env });
    const person = await short.createUser();
    const { accessToken, refreshToken, expiresIn } = await short.signIn(person);
    const { claims } = takeApart(accessToken);
    expect([expiresIn, Number(claims.exp) - Number(claims.iat)]).toEqual([60, 60]);
    await sleep(2_100);
    expect(await short.api('GET', '/auth/me', { token: accessToken })).toMatchObject(UNAUTHORIZED);
    expect(await refresh(refreshToken, short)).toMatchObject(UNAUTHORIZED);
  });
});

function flip(text: string, index: number): string {
  const other = text[index] === 'A' ? 'B' : 'A';
  return text.slice(0, index) + other + text.slice(index + 1);
}
