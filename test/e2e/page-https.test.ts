import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { ON_NEXT } from '../support/binding.js';
import { assetsOf, openPage } from '../support/html-page.js';
import { exchangeBytes } from '../support/raw-http.js';
import { describeWithRedis } from '../support/redis.js';
import { pathOf } from '../support/route-request.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const PAGES = [
  '/login',
  '/register',
  '/account',
  '/company',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/reject-registration',
  '/change-email',
  '/undo-email-change',
];
const FORCED = { AUTH_WEB_FORCE_HTTPS: 'true', AUTH_BASE_URL: 'https://auth.example.com' };
const FROM_TLS = { 'x-forwarded-proto': 'https' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: FORCED });
});
afterAll(() => service.stop());

const get = (path: string, headers = {}, of = service) => of.client.send('GET', path, { headers });

describe.each(PAGES)('%s by plain HTTP', (path) => {
  it('a page by plain HTTP leads to the public address by HTTPS, with its query', async () => {
    const query = ON_NEXT
      ? '?token=lki_a&y=%E2%82%AC'
      : '?token=lki_a&token=b&x=%00%20%0d%0aSet-Cookie:a=b&y=%E2%82%AC&&=?';
    const { status, headers } = await get(path + query);
    expect(status).toBe(308);
    expect(headers.location).toBe(`https://auth.example.com${path}${query}`);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect((await get(path)).headers.location).toBe(`https://auth.example.com${path}`);
  });

  it('a page by plain HTTP never leads to the host that the request names', async () => {
    const names = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': '//evil.example',
    };
    expect((await get(path, names)).headers.location).toBe(`https://auth.example.com${path}`);
  });

  it.skipIf(ON_NEXT)('a page by plain HTTP never leads to the host of an absolute target', async () => {
    const line = `GET http://evil.example${path}?a=1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    const { status, head } = await exchangeBytes(service.url, line);
    expect(status).toBe(308);
    expect(head).toMatch(new RegExp(`^location: https://auth\\.example\\.com${path}\\?a=1$`, 'im'));
  });

  it.skipIf(ON_NEXT)(
    'a page by plain HTTP is redirected whatever forwarded headers say while no proxy is trusted',
    async () => {
      expect((await get(path, FROM_TLS)).status).toBe(308);
      expect((await get(path, { 'x-forwarded-ssl': 'on', 'front-end-https': 'on' })).status).toBe(308);
    },
  );

  it('a page by plain HTTP is found by GET alone', async () => {
    expect(await service.api('POST', path, { body: {} })).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('requests that are no page', () => {
  it('other requests are never redirected: routes, health, key set, files of the pages, unknown paths', async () => {
    const routes = allRoutes.map(
      (route) => [route.method.toUpperCase(), pathOf(route, randomUUID())] as const,
    );
    const others = ['/auth/nope', '/internal/nope', '/openapi.json', '/docs', '/dev/mail', '/nope', '/'];
    const behind = await serviceForThisTest({ env: { ...FORCED, TRUST_PROXY: '1' } });
    const assets = assetsOf(await openPage(behind.client, '/login', { headers: FROM_TLS }));
    const targets = [...routes, ...[...others, ...assets].map((path) => ['GET', path] as const)];
    expect(targets.length).toBeGreaterThan(50);
    for (const [method, path] of targets) {
      const { status, headers } = await service.client.send(method, path, { headers: { host: 'x' } });
      expect([method, path, status >= 300 && status < 400]).toEqual([method, path, false]);
      expect(headers).not.toHaveProperty('location');
    }
    for (const path of ['/health', '/ready', '/.well-known/jwks.json', ...assets]) {
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    }
  });
});

describe('pages behind a trusted proxy', () => {
  it('pages that came by HTTPS are served, those that came by HTTP are redirected', async () => {
    const behind = await serviceForThisTest({ env: { ...FORCED, TRUST_PROXY: '1' } });
    for (const path of PAGES) {
      await openPage(behind.client, path, { headers: FROM_TLS });
      expect((await get(path, { 'x-forwarded-proto': 'http' }, behind)).status).toBe(308);
      expect((await get(path, {}, behind)).status).toBe(308);
    }
  });

  it('the public path is kept, also when the proxy has removed it', async () => {
    const AUTH_BASE_URL = 'https://example.com:8443/id';
    const behind = await serviceForThisTest({ env: { ...FORCED, AUTH_BASE_URL } });
    const { location } = (await get('/login?returnTo=%2Fx', {}, behind)).headers;
    expect(location).toBe('https://example.com:8443/id/login?returnTo=%2Fx');
  });
});

describe('the setting of the redirect', () => {
  it('nothing is redirected outside production', async () => {
    const lax = await serviceForThisTest();
    for (const path of PAGES) await openPage(lax.client, path);
  });
});

describeWithRedis('in production', () => {
  it('in production pages are redirected by default, and nothing else is', async () => {
    const env = { APP_ENV: 'production', AUTH_BASE_URL: 'https://auth.example.com' };
    const production = await serviceForThisTest({ redis: true, env });
    for (const path of PAGES) expect((await get(path, {}, production)).status).toBe(308);
    for (const [path, status] of [
      ['/health', 200],
      ['/ready', 200],
      ['/.well-known/jwks.json', 200],
      ['/auth/me', 401],
      ['/internal/users', 401],
      ['/internal/admin/users', 403],
    ] as const) {
      expect([path, (await get(path, {}, production)).status]).toEqual([path, status]);
    }
  });

  it('the redirect can be switched off', async () => {
    const env = (port: number) => ({
      APP_ENV: 'production',
      AUTH_WEB_FORCE_HTTPS: 'false',
      AUTH_BASE_URL: `http://localhost:${port}`,
    });
    const production = await serviceForThisTest({ redis: true, env });
    for (const path of PAGES) await openPage(production.client, path);
  });
});
