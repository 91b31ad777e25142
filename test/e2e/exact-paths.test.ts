import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allRoutes, createAuthRouter } from '@latchkey/express-adapter';
import { authPages } from '@latchkey/pages';
import { freePort } from '../../tools/shared/free-port.mjs';
import type { ApiClient } from '../support/api-client.js';
import { ON_NEXT, ON_THE_SERVER } from '../support/binding.js';
import { startHostApp, type HostApp } from '../support/host-app.js';
import { assetsOf, openPage } from '../support/html-page.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { nameOf, requestFor } from '../support/route-request.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let host: HostApp;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  host = await startHostApp((app) => app.use('/id', createAuthRouter(service.auth)));
});

afterAll(async () => {
  await host.stop();
  await service.stop();
});

/** Changes the case of the first letter of a path; ids in it stay as they are. */
const firstLetterRaised = (path: string): string => path.replace(/[a-z]/, (letter) => letter.toUpperCase());

/** Writes a word of a path in capitals, the last one that is no id. */
const lastWordRaised = (path: string): string =>
  path.replace(/[a-z]+(?:[-.][a-z]+)*(?=(?:\/[0-9a-f-]{36})*$)/, (word) => word.toUpperCase());

const otherSpellings = (path: string): string[] =>
  [firstLetterRaised(path), lastWordRaised(path), `${path}/`].filter((other) => !isPathOfRoute(other));

/** `/auth/invitations/PREVIEW` is the path of an invitation of that id. */
const isPathOfRoute = (path: string): boolean =>
  allRoutes.some((route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));

async function expectOnlyThis(
  client: ApiClient,
  path: string,
  { method = 'GET', headers = {}, prefix = '', isPage = false } = {},
): Promise<void> {
  for (const other of otherSpellings(path)) {
    const { status } = await client.send(method, prefix + other, { headers });
    const expected = isPage && other === `${path}/` ? 308 : 404;
    expect([method, prefix + other, other === path, status]).toEqual([
      method,
      prefix + other,
      false,
      expected,
    ]);
  }
}

it.each(allRoutes.map((route) => [nameOf(route), route] as const))(
  '%s is not found in capitals or with a slash at the end, alone and in an app',
  async (_name, route) => {
    const { method, path, headers } = await requestFor(route, service, randomUUID());
    await expectOnlyThis(service.client, path, { method, headers });
    await expectOnlyThis(host.client, path, { method, headers, prefix: '/id' });
  },
);

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
  ...(ON_NEXT ? [] : ['/dev/mail']),
  '/console',
];

const headers = { 'x-internal-api-key': INTERNAL_KEY };

async function expectOnePath(path: string, isPage = false): Promise<void> {
  expect((await service.client.send('GET', path, { headers })).status).toBe(200);
  expect((await host.client.send('GET', `/id${path}`, { headers })).status).toBe(200);
  await expectOnlyThis(service.client, path, { headers, isPage });
  await expectOnlyThis(host.client, path, { headers, isPage, prefix: '/id' });
}

it.each(['/openapi.json', '/metrics'])('%s is one path and no other, alone and in an app', (path) =>
  expectOnePath(path),
);

it.each(PAGES)('the page %s is one path; only a slash at the end redirects to it', (path) =>
  expectOnePath(path, true),
);

it('every page redirects from its path with a slash, with the query, and from no other method', async () => {
  const paths = authPages(service.auth)
    .map(({ path }) => path)
    .filter((path) => !ON_NEXT || !path.startsWith('/dev/mail'));
  const pages = paths.filter((path) => path.endsWith('/') && !path.includes('{'));
  expect(pages.map((path) => path.slice(0, -1))).toEqual(expect.arrayContaining(PAGES));
  const own = paths.filter(
    (path) => !path.includes('{') && !path.endsWith('/') && !path.includes('/assets/'),
  );
  expect(pages).toEqual(own.map((path) => `${path}/`));
  const query = ON_NEXT ? 'token=ab' : 'token=a%20b&x=%0d%0a';
  for (const path of pages) {
    for (const [client, prefix] of [
      [service.client, ''],
      [host.client, '/id'],
    ] as const) {
      const { status, headers } = await client.send('GET', `${prefix}${path}?${query}`);
      const target = new URL(headers.location ?? '', `http://localhost${prefix}${path}`);
      expect([status, target.pathname + target.search]).toEqual([
        308,
        `${prefix}${path.slice(0, -1)}?${query}`,
      ]);
      expect((await client.send('POST', prefix + path)).status).toBe(404);
    }
  }
});

it('the inbox does not redirect for another machine', async () => {
  const { status } = await service.client.send('GET', '/dev/mail/', {
    headers: { 'x-forwarded-for': '127.0.0.1' },
  });
  expect(status).toBe(404);
});

it.runIf(ON_THE_SERVER).each(['/docs', '/docs/start.js', '/docs/style.css', '/docs/viewer/swagger-ui.css'])(
  '%s is one path and no other',
  async (path) => {
    expect((await service.client.send('GET', path)).status).toBe(200);
    await expectOnlyThis(service.client, path, { isPage: path === '/docs' });
    expect((await service.client.send('GET', '/docs/viewer')).status).toBe(404);
  },
);

it('a file of the pages is one path and no other', async () => {
  for (const path of assetsOf(await openPage(service.client, '/login'))) {
    await expectOnlyThis(service.client, path);
  }
});

it('the metrics on a port of their own are one path and no other', async () => {
  const port = String(await freePort());
  await serviceForThisTest({ env: { METRICS_PORT: port } });
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect(await status('/metrics')).toBe(200);
  for (const path of otherSpellings('/metrics')) expect([path, await status(path)]).toEqual([path, 404]);
});
