import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { freePort } from '../../tools/shared/free-port.mjs';
import { ON_NEXT, ON_THE_SERVER } from '../support/binding.js';
import { assetsOf, openPage } from '../support/html-page.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { nameOf, requestFor } from '../support/route-request.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});

afterAll(() => service.stop());

const KEY = { 'x-internal-api-key': INTERNAL_KEY };

/** Returns the headers of an answer that are the same for every request. */
function stableHeaders({ date: _date, 'x-request-id': _id, ...headers }: IncomingHttpHeaders) {
  const cookies = headers['set-cookie']?.map((cookie) => cookie.replace(/=.*/, ''));
  const policy = headers['content-security-policy'];
  const nonceless = typeof policy === 'string' ? policy.replaceAll(/nonce-[\w+/=]+/g, 'nonce') : policy;
  const framing = ON_NEXT ? { 'transfer-encoding': undefined } : {};
  return { ...headers, ...framing, 'set-cookie': cookies, 'content-security-policy': nonceless };
}

/**
 * Answers that grow from one request to the next: with the transactions of the moment, with the audit row of the request,
 * with what was counted and measured meanwhile.
 */
const GROWING = ['/internal/revocations', '/auth/me/export', '/internal/health'];

/** Replaces the length of a body that grows. */
function lengthKnown(path: string, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  if (!GROWING.some((growing) => path.startsWith(growing))) return headers;
  return {
    ...headers,
    'content-length': /^\d+$/.test(headers['content-length'] ?? '') ? 'known' : 'unknown',
  };
}

/** Sends the request twice, the second time as HEAD. */
async function expectSameHead(path: string, headers: OutgoingHttpHeaders = {}): Promise<number> {
  const whole = await service.client.send('GET', path, { headers });
  const head = await service.client.send('HEAD', path, { headers });
  expect([head.status, head.text]).toEqual([whole.status, '']);
  expect(stableHeaders(lengthKnown(path, head.headers))).toEqual(
    stableHeaders(lengthKnown(path, whole.headers)),
  );
  return head.status;
}

describe('HEAD requests', () => {
  it.each(allRoutes.filter(({ method }) => method === 'get').map((route) => [nameOf(route), route] as const))(
    'HEAD of %s is answered like GET, with credentials and without',
    async (_name, route) => {
      const { headers, path } = await requestFor(route, service, randomUUID());
      await expectSameHead(path, headers);
      await expectSameHead(path);
    },
  );

  it.each([
    '/health',
    '/ready',
    '/.well-known/jwks.json',
    '/login',
    '/accept-invitation',
    '/reset-password',
    '/openapi.json',
    ...(ON_NEXT ? [] : ['/dev/mail']),
  ])('HEAD of %s is answered like GET', async (path) => {
    expect(await expectSameHead(path)).toBe(200);
  });

  it.runIf(ON_THE_SERVER).each(['/docs', '/docs/start.js', '/docs/viewer/swagger-ui.css'])(
    'HEAD of %s is answered like GET',
    async (path) => {
      expect(await expectSameHead(path)).toBe(200);
    },
  );

  it('HEAD of the files of a page is answered like GET', async () => {
    const assets = assetsOf(await openPage(service.client, '/login'));
    expect(assets).toHaveLength(3);
    for (const path of assets) expect(await expectSameHead(path)).toBe(200);
  });

  it('HEAD of the metrics is answered like GET, on the shared port and on their own', async () => {
    const head = await service.client.send('HEAD', '/metrics', { headers: KEY });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await service.client.send('HEAD', '/metrics')).status).toBe(403);
    const port = String(await freePort());
    await serviceForThisTest({ env: { METRICS_PORT: port } });
    const alone = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'HEAD' });
    expect([alone.status, await alone.text()]).toEqual([200, '']);
  });
});

it.each(['/nope', '/auth/login', '/auth/refresh', '/internal/admin/nope', '/metrics/x'])(
  'HEAD %s is not found, and has no body',
  async (path) => {
    const { status, text } = await service.client.send('HEAD', path, { headers: KEY });
    expect([status, text]).toEqual([404, '']);
  },
);
