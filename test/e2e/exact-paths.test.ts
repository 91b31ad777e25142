import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allRoutes, createAuthRouter } from '@latchkey/express-adapter';
import type { ApiClient } from '../support/api-client.js';
import { ON_THE_SERVER } from '../support/binding.js';
import { freePort } from '../support/free-port.js';
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
  { method = 'GET', headers = {}, prefix = '' } = {},
): Promise<void> {
  for (const other of otherSpellings(path)) {
    const { status } = await client.send(method, prefix + other, { headers });
    expect([method, prefix + other, other === path, status]).toEqual([method, prefix + other, false, 404]);
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
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/reject-registration',
  '/change-email',
  '/undo-email-change',
  '/dev/mail',
  '/openapi.json',
  '/metrics',
];

it.each(PAGES)('%s is one path and no other, alone and in an app', async (path) => {
  const headers = { 'x-internal-api-key': INTERNAL_KEY };
  expect((await service.client.send('GET', path, { headers })).status).toBe(200);
  expect((await host.client.send('GET', `/id${path}`, { headers })).status).toBe(200);
  await expectOnlyThis(service.client, path, { headers });
  await expectOnlyThis(host.client, path, { headers, prefix: '/id' });
});

it.runIf(ON_THE_SERVER).each(['/docs', '/docs/start.js', '/docs/style.css', '/docs/viewer/swagger-ui.css'])(
  '%s is one path and no other',
  async (path) => {
    expect((await service.client.send('GET', path)).status).toBe(200);
    await expectOnlyThis(service.client, path);
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
