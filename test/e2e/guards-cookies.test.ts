import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Guards } from '@latchkey/express-adapter';
import type { Answer, ApiOptions } from '../support/api-client.js';
import { ACCESS } from '../support/cookie-browser.js';
import { cutOffServiceForThisTest } from '../support/cut-off-service.js';
import { startGuardedHost, twice, type GuardedHost, type Mount } from '../support/guarded-host.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

const FRIEND = 'https://app.example.com';
const FORBIDDEN = { status: 403, code: 'forbidden' };
const UNAUTHORIZED = { status: 401, code: 'unauthorized' };
const ANONYMOUS = { status: 200, data: { userId: null } };

const COOKIE_MODE = { AUTH_WEB_COOKIE_MODE: 'true', CORS_ORIGINS: FRIEND };

const everyGuard = (mount: Mount, { requireAuth, optionalAuth, requireRole }: Guards): void => {
  mount('/auth', requireAuth);
  mount('/optional', optionalAuth);
  mount('/staff', requireRole('PLATFORM_ADMIN'));
};

let service: TestService;
let host: GuardedHost;

beforeAll(async () => {
  service = await startTestService({ env: COOKIE_MODE });
  host = await startGuardedHost(service.auth, everyGuard, { cookies: true });
});

afterEach(() => {
  host.ran.length = 0;
});

afterAll(async () => {
  await host.stop();
  await service.stop();
});

const cookieOf = (token: string) => `theme=dark; ${ACCESS}=${token}`;

/** Sends a request as a browser with the cookie. */
const browse = (
  method: string,
  path: string,
  cookie: string,
  { headers, ...rest }: ApiOptions = {},
): Promise<Answer> => host.client.send(method, path, { ...rest, headers: { cookie, ...headers } });

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the access cookie', () => {
  it('the cookie lets a browser open a page, which can send no header of its own', async () => {
    const { id, token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    for (const path of ['/auth', '/optional', '/staff']) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const { status, data, headers } = await browse(method, path, cookieOf(token));
        expect([method, path, status]).toEqual([method, path, 200]);
        if (method === 'GET') expect(data).toMatchObject({ userId: id });
        expect(headers).not.toHaveProperty('set-cookie');
      }
    }
  });

  it('the cookie authenticates a form of an own page, and one of a listed origin', async () => {
    const { id, token } = await signedInUser(service);
    for (const origin of [service.publicUrl, FRIEND]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const options = { raw: 'a=1', headers: { ...FORM, origin } };
        const { status, data } = await browse(method, '/auth', cookieOf(token), options);
        expect([method, origin, status, data.userId]).toEqual([method, origin, 200, id]);
      }
    }
  });

  it.each([
    undefined,
    'null',
    '',
    'https://evil.example',
    'https://evil.app.example.com',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://app.example.com/',
  ])('the cookie changes nothing for a page of %s', async (origin) => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const headers = { ...FORM, ...(origin !== undefined && { origin }) };
    for (const path of ['/auth', '/optional', '/staff']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const answer = await browse(method, path, cookieOf(token), { raw: 'a=1', headers });
        expect([method, path, answer]).toMatchObject([method, path, FORBIDDEN]);
      }
    }
    expect(host.ran).toEqual([]);
  });

  it('the cookie opens no WebSocket for a foreign page, though that begins with a GET', async () => {
    const { token } = await signedInUser(service);
    const upgrade = (origin: string) =>
      browse('GET', '/auth', cookieOf(token), { headers: { upgrade: 'WebSocket', origin } });
    expect(await upgrade('https://evil.example')).toMatchObject(FORBIDDEN);
    expect((await upgrade(FRIEND)).status).toBe(200);
  });

  it('a cookie that is damaged, spent or duplicated is a bad token, and anonymous for optionalAuth', async () => {
    const { token, id } = await signedInUser(service);
    const ended = await mintTokens(service, id);
    await service.api('POST', '/auth/logout', { body: { refreshToken: ended.refreshToken } });
    const bad = [
      cookieOf('x'),
      cookieOf(''),
      cookieOf('sp ace'),
      cookieOf(`${token}x`),
      `${cookieOf(token)}; ${ACCESS}=${token}`,
    ];
    for (const cookie of bad) {
      expect(await browse('GET', '/auth', cookie)).toMatchObject(UNAUTHORIZED);
      expect(await browse('GET', '/optional', cookie)).toMatchObject(ANONYMOUS);
    }
    expect(await browse('GET', '/auth', cookieOf(ended.token))).toMatchObject({ code: 'session_revoked' });
    expect(await browse('GET', '/optional', cookieOf(ended.token))).toMatchObject(ANONYMOUS);
  });

  it('a cookie of a user who can no longer sign in is refused, and anonymous for optionalAuth', async () => {
    const { token, id } = await signedInUser(service);
    await service.sql('UPDATE users SET is_active = false WHERE id = $1', [id]);
    expect(await browse('GET', '/auth', cookieOf(token))).toMatchObject({ code: 'account_inactive' });
    expect(await browse('GET', '/optional', cookieOf(token))).toMatchObject(ANONYMOUS);
  });

  it('an unavailable database is 503 for a request by cookie, for optionalAuth too', async () => {
    const { service: cutOff, link } = await cutOffServiceForThisTest({ env: COOKIE_MODE });
    const guarded = await startGuardedHost(cutOff.auth, everyGuard, { cookies: true });
    const { token } = await signedInUser(cutOff);
    link.cut();
    for (const path of ['/auth', '/optional', '/staff']) {
      const answer = await guarded.client.call('GET', path, { headers: { cookie: cookieOf(token) } });
      expect([path, answer]).toMatchObject([path, { status: 503, code: 'service_unavailable' }]);
    }
    link.fix();
    await guarded.stop();
  });

  it('a cookie under another name is ignored', async () => {
    const { token, refreshToken } = await signedInUser(service);
    for (const cookie of [`lk_access=${token}`, `__Host-lk_refresh=${refreshToken}`, `${ACCESS}x=${token}`]) {
      expect(await browse('GET', '/auth', cookie)).toMatchObject(UNAUTHORIZED);
    }
  });
});

describe('the Authorization header', () => {
  it('the Authorization header decides alone when it is present, good or bad', async () => {
    const [cookie, header] = [await signedInUser(service), await signedInUser(service)];
    const good = await browse('POST', '/auth', cookieOf(cookie.token), { token: header.token });
    expect(good).toMatchObject({ status: 200, data: { userId: header.id } });
    for (const path of ['/auth', '/optional']) {
      expect(await browse('GET', path, cookieOf(cookie.token), { token: 'x' })).toMatchObject(UNAUTHORIZED);
      const headers = twice('authorization', `Bearer ${header.token}`);
      expect(await browse('GET', path, cookieOf(cookie.token), { headers })).toMatchObject({ status: 400 });
    }
  });
});

describe('guards without cookies', () => {
  it('cookies have no effect unless enabled, not even with X-Auth-Mode', async () => {
    const plain = await startGuardedHost(service.auth, (mount, { requireAuth, optionalAuth }) => {
      mount('/auth', requireAuth);
      mount('/optional', optionalAuth);
    });
    const { token } = await signedInUser(service);
    const headers = { cookie: cookieOf(token), 'x-auth-mode': 'cookie' };
    expect(await plain.client.call('GET', '/auth', { headers })).toMatchObject(UNAUTHORIZED);
    expect(await plain.client.send('GET', '/optional', { headers })).toMatchObject(ANONYMOUS);
    await plain.stop();
  });
});
