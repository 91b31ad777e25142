import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { ON_NEXT, ON_THE_SERVER } from '../support/binding.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { exchangeBytes } from '../support/raw-http.js';
import { nameOf, pathOf, requestFor } from '../support/route-request.js';
import { startTestService, type TestService } from '../support/service.js';

const METHODS = [
  ...['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT'],
  ...(ON_NEXT ? [] : ['TRACE', 'PROPFIND', 'SEARCH', 'PURGE']),
];
const PATHS = [...new Set(allRoutes.map(({ path }) => path))];
const CANARY = 'canary-0d1f2e3c';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});

afterAll(() => service.stop());

const methodsOf = (path: string): string[] =>
  allRoutes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());

describe.each(PATHS)('%s', (path) => {
  const [route] = allRoutes.filter((candidate) => candidate.path === path);

  it('a path answers no method but its own, and echoes nothing', async () => {
    const { headers, path: url } = await requestFor(route!, service, randomUUID());
    for (const method of METHODS.filter((name) => !methodsOf(path).includes(name))) {
      const answer = await service.api(method, `${url}?x=${CANARY}`, {
        body: { x: CANARY },
        headers: { ...headers, 'x-canary': CANARY, origin: `https://${CANARY}.example` },
      });
      expect([method, answer.status, answer.code]).toEqual([method, 404, 'not_found']);
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain(CANARY);
      expect(answer.headers).not.toHaveProperty('allow');
    }
  });
});

it.each(PATHS.filter((path) => !methodsOf(path).includes('GET')))(
  '%s, which has no GET, answers HEAD with a 404 that has no body',
  async (path) => {
    const route = allRoutes.find((candidate) => candidate.path === path);
    const { headers, path: url } = await requestFor(route!, service, randomUUID());
    const answer = await service.client.send('HEAD', url, { headers });
    expect([answer.status, answer.text]).toEqual([404, '']);
  },
);

it.each(allRoutes.map((route) => [nameOf(route), route] as const))(
  '%s is not found under a longer or shorter path',
  async (_name, route) => {
    const path = pathOf(route, randomUUID());
    const shorter = path.slice(0, path.lastIndexOf('/'));
    const doubled = ON_NEXT ? [] : [`/${path}`];
    const others = [`${path}/more`, `${path}x`, `/v1${path}`, ...doubled, `${path};a=b`, shorter].filter(
      (other) => other !== '' && !PATHS.some((known) => matches(known, other)),
    );
    for (const other of others) {
      const answer = await service.machine(route.method.toUpperCase(), other, { body: {} });
      expect([other, answer.status, answer.code]).toEqual([other, 404, 'not_found']);
    }
  },
);

const matches = (known: string, path: string): boolean =>
  new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

it.each([
  '/',
  '/nope',
  '/auth',
  '/auth/signup',
  '/auth/checkout',
  '/auth/checkout/session',
  '/internal/admin',
])('%s does not exist for any caller', async (path) => {
  for (const method of METHODS) {
    expect(await service.machine(method, path)).toMatchObject({ status: 404, code: 'not_found' });
  }
});

it.runIf(ON_THE_SERVER)('a method that HTTP does not know is refused in the envelope', async () => {
  const answer = await exchangeBytes(service.url, 'BREW /health HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: { code: 'validation_error' } });
});
