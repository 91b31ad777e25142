import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { ON_NEXT } from '../support/binding.js';
import { OFFERED_ENV } from '../support/offered-env.js';
import { nameOf, requestFor } from '../support/route-request.js';
import { shareOf } from '../support/scale.js';
import { startTestService, type TestService } from '../support/service.js';

const ALL = allRoutes.map((route, index) => [nameOf(route), route, index] as const);
/** Keys of roles and secrets of pictures are no UUIDs. */
const WITH_PARAMETER = ALL.filter(([, { path }]) => /\{(?!key\}|pictureId\})/.test(path));
const REFUSED = { status: 400, code: 'validation_error' };

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: OFFERED_ENV });
});

afterAll(() => service.stop());

/** Sends a request with valid credentials and an empty object as its body. */
async function send(
  route: Route,
  {
    id = randomUUID(),
    query,
    headers = {},
  }: { id?: string; query?: string; headers?: Record<string, string> },
): Promise<Answer> {
  const request = await requestFor(route, service, id);
  const path = query === undefined ? request.path : `${request.path}?${query}`;
  return service.api(request.method, path, { body: {}, headers: { ...request.headers, ...headers } });
}

const NO_UUIDS = [
  'x',
  '%00',
  'a%00b',
  '%20',
  '11111111111111111111111111111111',
  '%7B11111111-1111-1111-1111-111111111111%7D',
  'urn:uuid:11111111-1111-1111-1111-111111111111',
  '11111111-1111-1111-1111-1111111111111',
  '%D9%A1%D9%A1111111-1111-1111-1111-111111111111',
  "1'%20OR%20'1'='1",
  '..%2f..%2fetc%2fpasswd',
  '%C3%28',
  '%',
  '%u0031',
  'x'.repeat(3000),
];
const STRANGE_UUIDS = [
  '00000000-0000-0000-0000-000000000000',
  '11111111-1111-1111-1111-111111111111',
  'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
];

/** Next.js answers paths that are no valid percent-encoded UTF-8 itself. */
const REFUSED_IDS = ON_NEXT ? NO_UUIDS.filter(isDecodable) : NO_UUIDS;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

describe.each(WITH_PARAMETER)('%s', (_name, route, index) => {
  it('a route refuses an id that is no UUID', async () => {
    for (const id of shareOf(REFUSED_IDS, index)) {
      const answer = await send(route, { id });
      expect([id, answer.status, answer.code]).toEqual([id, 400, 'validation_error']);
    }
  });

  it('a route takes a UUID of any version and case', async () => {
    for (const id of shareOf(STRANGE_UUIDS, index)) {
      const answer = await send(route, { id });
      expect(answer.message ?? '').not.toContain('UUID');
    }
  });
});

/** Errors of routes that this service is not configured for: they are raised before the query is read. */
const UNAVAILABLE: Record<string, string> = {
  'GET /auth/me/access': 'service_unavailable',
  'GET /internal/companies/resolve': 'finance_db_not_configured',
};

describe.each(ALL)('%s', (name, route, index) => {
  it('a route refuses bytes that are no text, and a key that comes twice', async () => {
    const undecodable = ON_NEXT ? [] : ['a=%ff', 'a=%ED%A0%80', 'a=%'];
    const queries = ['a=%00', '%00=a', ...undecodable, 'a=1&a=2'];
    for (const query of shareOf(queries, index)) {
      const { code } = await send(route, { query });
      expect([query, ['validation_error', UNAVAILABLE[name]].includes(code)]).toEqual([query, true]);
    }
  });

  it('a route ignores strange queries and headers', async () => {
    const queries = ['__proto__=1', 'a[b]=c', 'a[]=1', '&&==&', `x=${'y'.repeat(4000)}`, '?a=b', '+%2B+'];
    const variants = [
      { 'user-agent': `"${'x'.repeat(8000)}'\\` },
      { 'user-agent': '\u00ff' },
      { 'x-request-id': 'x'.repeat(200) },
      { 'x-forwarded-for': "'; DROP TABLE users;--", forwarded: 'for=x', 'x-real-ip': 'x' },
      { accept: 'text/html', 'accept-encoding': 'nonsense', 'accept-language': '*' },
      { host: 'evil.example', origin: 'null', referer: 'x', cookie: 'a=b; =; ;;' },
      { 'if-none-match': '*', range: 'bytes=0-1', 'x-http-method-override': 'DELETE' },
    ];
    const requests = queries.map((query, place) => ({ query, headers: variants[place] ?? {} }));
    const usual = (await send(route, {})).status;
    for (const { query, headers } of shareOf(requests, index)) {
      const answer = await send(route, { query, headers });
      expect([query, answer.status]).toEqual([query, usual]);
    }
  });
});

describe('a device name', () => {
  it.each(['x'.repeat(101), Buffer.from('\ud83d\ude00'.repeat(101)).toString('latin1')])(
    'a device name of more than a hundred characters is refused (%#)',
    async (name) => {
      const headers = { 'x-device-name': name };
      expect(await service.api('POST', '/auth/login', { body: {}, headers })).toMatchObject(REFUSED);
    },
  );
});
