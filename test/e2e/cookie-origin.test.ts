import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { signedInUser } from '../support/minted-token.js';
import { generationOf } from '../support/refresh.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

const OWN = 'https://auth.example.com';
const LISTED = 'https://app.example.com';

const FOREIGN = [
  'https://evil.example',
  'null',
  '',
  '*',
  'https://auth.example.com.evil.example',
  'https://evil-auth.example.com',
  'https://sub.auth.example.com',
  'https://auth.example.com:8443',
  'http://auth.example.com',
  'https://auth.example.com/',
  'https://auth.example.com/login',
  'https://AUTH.example.com',
  'https://app.example.com, https://evil.example',
];

/** Node sends no header for an empty list of its values. */
const NO_TYPE: string[] = [];

const FORBIDDEN = { status: 403, code: 'forbidden' };

let service: TestService;
let user: TestUser;
let browser: CookieBrowser;
beforeAll(async () => {
  service = await startTestService({
    env: { AUTH_WEB_COOKIE_MODE: 'true', AUTH_BASE_URL: `${OWN}/base`, CORS_ORIGINS: LISTED },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  user = await service.createUser();
  browser = await CookieBrowser.of(service, user);
});

const fullName = async (): Promise<unknown> => {
  const rows = await service.sql('SELECT full_name FROM users WHERE id = $1', [user.id]);
  return rows[0]?.full_name;
};

const rename = (headers: OutgoingHttpHeaders, token?: string): Promise<Answer> =>
  browser.api('PATCH', '/auth/me', { body: { fullName: 'Renamed' }, headers, token });

function expectRefused(answer: Answer): void {
  expect(answer).toMatchObject(FORBIDDEN);
  expect(answer.headers).not.toHaveProperty('set-cookie');
}

describe('a change by the access cookie', () => {
  it.each([OWN, LISTED])('a change by the access cookie is made for a page of %s', async (origin) => {
    expect((await rename({ origin })).status).toBe(200);
    expect(await fullName()).toBe('Renamed');
  });

  it.each([undefined, ...FOREIGN])(
    'a change by the access cookie is refused with the origin %j',
    async (origin) => {
      expectRefused(await rename({ origin }));
      expect(await fullName()).toBe(user.fullName);
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;charset=UTF-8'])(
    'a change by the access cookie is made for a body of type %s',
    async (type) => {
      expect((await rename({ origin: OWN, 'content-type': type })).status).toBe(200);
    },
  );

  it.each<string | string[]>([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'text/plain; application/json',
    'application/json, text/plain',
    '',
    NO_TYPE,
  ])('a change by the access cookie is refused for a body of type %j', async (type) => {
    expectRefused(await rename({ origin: OWN, 'content-type': type }));
    expect(await fullName()).toBe(user.fullName);
  });

  it('a change by the access cookie needs no body where the route requires none, and then no type', async () => {
    const send = (headers: OutgoingHttpHeaders) =>
      browser.api('POST', '/auth/logout-others', { headers: { origin: LISTED, ...headers } });

    expectRefused(await send({ 'content-type': 'text/plain' }));
    expect((await send({ 'content-type': 'application/json' })).status).toBe(200);
    expect((await send({})).status).toBe(200);
  });

  it.each([
    ['POST', '/auth/logout-all'],
    ['POST', '/auth/logout'],
    ['POST', '/auth/refresh'],
    ['DELETE', '/auth/sessions/01a1f913-5d14-7023-b417-5c4708406d9b'],
    ['POST', '/auth/invitations/accept'],
    ['POST', '/auth/handoff/create'],
  ])(
    'a change by the access cookie is refused to a foreign origin and to none: %s %s',
    async (method, path) => {
      const body = path.endsWith('accept') ? { token: 'lki_x' } : undefined;
      for (const origin of [undefined, 'https://evil.example']) {
        expectRefused(await browser.api(method, path, { body, headers: { origin } }));
      }
      expect((await browser.api('GET', '/auth/me')).status).toBe(200);
      expect(await generationOf(service, user.id)).toBe(0);
    },
  );

  it('a change by the access cookie is refused too when the cookie cannot be used', async () => {
    expectRefused(await rename({ origin: undefined, cookie: '__Host-lk_access=x; __Host-lk_access=y' }));
  });
});

describe('a refresh by cookie', () => {
  it.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': NO_TYPE },
  ])('a refresh by cookie is refused for a body with %j', async (headers) => {
    for (const path of ['/auth/refresh', '/auth/logout']) {
      expectRefused(await browser.api('POST', path, { raw: '{}', headers: { origin: OWN, ...headers } }));
    }
    expect(await generationOf(service, user.id)).toBe(0);
  });

  it('a refresh by cookie is made for a listed origin', async () => {
    expect((await browser.api('POST', '/auth/refresh', { headers: { origin: LISTED } })).status).toBe(200);
  });
});

describe('requests that do not rely on a cookie', () => {
  it('a read by cookie is allowed from any origin, since it changes nothing', async () => {
    for (const origin of [undefined, 'https://evil.example']) {
      expect((await browser.api('GET', '/auth/me', { headers: { origin } })).status).toBe(200);
    }
  });

  it('a change by Bearer token is allowed from any origin', async () => {
    const { token } = await signedInUser(service);
    for (const origin of [undefined, 'https://evil.example']) {
      expect((await rename({ origin }, token)).status).toBe(200);
    }
    expect(await fullName()).toBe(user.fullName);
  });

  it('a refresh by a token of the body needs no Origin', async () => {
    const { refreshToken } = await signedInUser(service);
    const headers = { origin: undefined };
    const answer = await browser.apiUnnoted('POST', '/auth/refresh', { body: { refreshToken }, headers });
    expect(answer.status).toBe(200);
  });

  it('a request without the header is allowed, whatever the Origin', async () => {
    const headers = { 'x-auth-mode': undefined, origin: 'https://evil.example' };
    const body = { email: user.email, password: PASSWORD };
    const answer = await browser.api('POST', '/auth/login', { body, headers });
    expect(answer.data.accessToken).toEqual(expect.any(String));
  });
});

describe('a page of a foreign origin', () => {
  it.each(FOREIGN)('a page of a foreign origin cannot sign a browser in: %j', async (origin) => {
    const body = { email: user.email, password: PASSWORD };
    expectRefused(await new CookieBrowser(service).api('POST', '/auth/login', { body, headers: { origin } }));
  });

  it('a page of a foreign origin cannot exchange a code or a token of its own for cookies, or clear them', async () => {
    const { refreshToken, id } = await signedInUser(service);
    const bodies: [string, object][] = [
      ['/auth/handoff/exchange', { code: 'lkh_x' }],
      ['/auth/invitations/accept', { token: 'lki_x' }],
      ['/auth/refresh', { refreshToken }],
      ['/auth/logout', { refreshToken }],
      ['/auth/logout', {}],
    ];
    for (const [path, body] of bodies) {
      const headers = { origin: 'https://evil.example' };
      expectRefused(await new CookieBrowser(service).api('POST', path, { body, headers }));
    }
    expect(await generationOf(service, id)).toBe(0);
  });
});
