import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createAuth, type Auth } from '@latchkey/core';
import { ApiClient, type Answer, type ApiOptions } from '../../test/support/api-client.js';
import { signRs256, takeApart } from '../../test/support/forged-token.js';
import { mintTokens, signedInUser } from '../../test/support/minted-token.js';
import { startTestService, type TestService } from '../../test/support/service.js';
import { SPECIFIED_PLATFORM_ENDPOINTS } from '../../test/support/specified-platform-endpoints.js';
import { otherTestKeys } from '../../test/support/test-keys.js';
import { allEndpoints } from './all-endpoints.js';
import { endpoint, publicQuery, type Endpoint } from './endpoint.js';
import { platformApp } from './platform-app.js';

/** An endpoint that fails with details which must not reach a client. */
const broken = endpoint({
  method: 'get',
  path: '/broken/{id}',
  lists: [403, 500],
  query: publicQuery,
  handle: () => {
    throw new Error('connection to 10.0.0.7 failed: password "hunter2"');
  },
});

let latchkey: TestService;
let auth: Auth;
let server: Server;
let platform: ApiClient;
let token: string;
let userId: string;

beforeAll(async () => {
  latchkey = await startTestService();
  auth = await createAuth(latchkey.auth.settings, { migrate: false });
  server = createServer(platformApp(auth, [...allEndpoints, broken]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  platform = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  ({ token, id: userId } = await signedInUser(latchkey));
});
afterAll(async () => {
  platform.close();
  await new Promise((resolve) => server.close(resolve));
  await auth.close();
  await latchkey.stop();
});

/** A valid request to each endpoint. */
const GOOD: Record<string, { id: string; query?: string; body?: object }> = {
  '/venues/update/{id}/capacity': { id: 'venue-1', body: { capacity: 750 } },
  '/vendors-system/vendors/{id}/transactions': { id: 'vendor-1' },
  '/artists/{id}/data-v2': { id: 'artist-1', query: 'country=DE' },
  '/artists/{id}/bandsintown/events': { id: 'artist-1' },
  '/approval/{id}/approve': { id: 'approval-1', body: { notes: 'fine' } },
  '/avails/{id}/shows-summary': { id: 'avail-1' },
  '/artists/{id}/bandsintown': { id: 'artist-1' },
  '/artists/{id}/discography': { id: 'artist-1' },
  '/tasks/{id}/activities': { id: 'task-1' },
  '/artists/{id}/contacts': { id: 'artist-1' },
  '/venues/details/{id}': { id: 'venue-1' },
  '/artists/{id}/events': { id: 'artist-1' },
  '/event-ticket/{id}/vendors': { id: 'event-1' },
  '/events/{id}/ticket-metrics': { id: 'event-1' },
  '/event-group/{id}/ticket-sales': { id: 'group-1' },
};

interface Changes extends ApiOptions {
  id?: string;
  query?: string;
}

/** Sends the valid request with changes; signed in by default. */
async function ask(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  changes: Changes = {},
): Promise<Answer> {
  const good = GOOD[path] ?? { id: 'one' };
  const { id = good.id, query = '', ...options } = changes;
  const address = `${path.replace('{id}', id)}?${[good.query, query].filter(Boolean).join('&')}`;
  const answer = await platform.send(method.toUpperCase(), address, {
    token,
    ...(good.body && !('raw' in changes) && { body: good.body }),
    ...options,
  });
  assertSound(answer);
  return answer;
}

const find = (path: string): Endpoint => allEndpoints.find((one) => one.path === path)!;

/** Asserts the format of every response. */
function assertSound({ status, headers, body, text }: Answer): void {
  expect(headers['content-type'], text).toBe('application/json; charset=utf-8');
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers['x-request-id']).toMatch(/^[\w.-]{8,128}$/);
  const word = expect.any(String) as string;
  if (status < 400) expect(body).toEqual({ success: true, data: expect.anything() as unknown });
  else expect(body).toEqual({ success: false, error: { code: word, message: word } });
}

/** Asserts the error of an unauthorized request. */
function assertRefused({ lists }: Endpoint, answer: Answer, code = 'unauthorized'): void {
  const expected = lists.includes(401) ? { status: 401, code } : { status: 403, code: 'forbidden' };
  expect(answer, answer.text).toMatchObject(expected);
  expect(answer.headers['www-authenticate']).toBe(lists.includes(401) ? 'Bearer' : undefined);
}

it('the table matches the specification: method, path, parameters, body, error statuses', () => {
  const facts = allEndpoints.map(({ method, path, query, body, lists }) => ({
    method: method.toUpperCase(),
    path,
    query: Object.entries<z.ZodType>(query.shape)
      .map(([key, schema]) => (schema.safeParse(undefined).success ? key : `${key}!`))
      .sort(),
    ...(body && { body: body.required ? 'required' : 'optional' }),
    errors: [...lists],
  }));
  expect(facts).toEqual(SPECIFIED_PLATFORM_ENDPOINTS);
});

describe.each(allEndpoints.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one] as const))(
  '%s',
  (_name, one) => {
    it('the endpoint serves a signed-in user', async () => {
      expect((await ask(one)).status).toBe(200);
    });

    it('the endpoint rejects anonymous requests, with public=true too', async () => {
      assertRefused(one, await ask(one, { token: undefined }));
      for (const value of ['true', '1', 'yes', '']) {
        assertRefused(one, await ask(one, { token: undefined, query: `public=${value}` }));
      }
    });

    it('the endpoint rejects a token that is damaged, foreign, outdated or not in the header', async () => {
      const { header, claims } = takeApart(token);
      const forged = [
        'x.y.z',
        `${token.slice(0, -4)}AAAA`,
        signRs256({ header, claims: { ...claims, aud: 'other-service' } }),
        signRs256({ header, claims: { ...claims, iss: 'https://elsewhere.example.com' } }),
        signRs256({ header, claims: { ...claims, exp: Math.floor(Date.now() / 1000) - 60 } }),
        signRs256({ header, claims }, otherTestKeys().privateKeyPem),
      ];
      for (const bad of forged) assertRefused(one, await ask(one, { token: bad }));
      const elsewhere = { token: undefined, headers: { cookie: `__Host-lk_access=${token}` } };
      assertRefused(one, await ask(one, { ...elsewhere, query: `access_token=${token}` }));
    });

    it('the endpoint returns 404 for unknown ids', async () => {
      for (const id of ['nothing', 'constructor', '__proto__', '%E2%98%83']) {
        expect(await ask(one, { id })).toMatchObject({ status: 404, code: 'not_found' });
      }
    });

    it.each([
      ['with a NUL', 'a%00b'],
      ['of 101 characters', 'x'.repeat(101)],
      ['that is no UTF-8', '%ff'],
    ])('the endpoint rejects an id %s', async (_what, id) => {
      expect(await ask(one, { id })).toMatchObject({ status: 400, code: 'validation_error' });
    });

    it('the endpoint rejects a query with a repeated key or a NUL', async () => {
      for (const query of ['other=1&other=2', 'public=1&public=2', 'other=%00']) {
        expect(await ask(one, { query })).toMatchObject({ status: 400, code: 'validation_error' });
      }
    });

    it('the endpoint checks the token before other input', async () => {
      assertRefused(one, await ask(one, { token: undefined, raw: '{', query: 'other=1&other=2' }));
    });
  },
);

describe('the session behind the token', () => {
  const endpoints = [
    '/venues/update/{id}/capacity',
    '/approval/{id}/approve',
    '/venues/details/{id}',
    '/vendors-system/vendors/{id}/transactions',
  ].map(find);

  it('signing out ends access to every endpoint at once', async () => {
    const user = await latchkey.createUser();
    const { token: ended, refreshToken } = await mintTokens(latchkey, user.id);
    for (const one of endpoints) expect((await ask(one, { token: ended })).status).toBe(200);
    await latchkey.api('POST', '/auth/logout', { body: { refreshToken } });
    for (const one of endpoints) assertRefused(one, await ask(one, { token: ended }), 'session_revoked');
  });

  it('deactivating the user ends access to the endpoints', async () => {
    const user = await signedInUser(latchkey);
    await latchkey.machine('DELETE', `/internal/admin/users/${user.id}`);
    for (const one of endpoints) assertRefused(one, await ask(one, { token: user.token }), 'session_revoked');
  });

  it('an active session of a deactivated user is rejected', async () => {
    const user = await signedInUser(latchkey);
    await latchkey.sql('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    for (const one of endpoints) {
      expect(await ask(one, { token: user.token })).toMatchObject({ status: 403, code: 'account_inactive' });
    }
  });
});

const BAD = { status: 400, code: 'validation_error' };

describe('the capacity of a venue', () => {
  const capacity = find('/venues/update/{id}/capacity');

  it('the capacity of a venue can be changed', async () => {
    expect((await ask(capacity, { body: { capacity: 640 } })).data).toMatchObject({
      id: 'venue-1',
      capacity: 640,
    });
    expect((await ask(find('/venues/details/{id}'))).data).toMatchObject({ capacity: 640 });
  });

  it.each([
    [{}],
    [{ capacity: -1 }],
    [{ capacity: 1.5 }],
    [{ capacity: '5' }],
    [{ capacity: null }],
    [[]],
    ['x'],
  ])('%j is rejected as the capacity of a venue', async (body) => {
    expect(await ask(capacity, { body })).toMatchObject(BAD);
  });

  it('changing the capacity requires a JSON body in UTF-8 of at most 100 KiB', async () => {
    expect(await ask(capacity, { raw: '', headers: { 'content-length': 0 } })).toMatchObject(BAD);
    expect(await ask(capacity, { raw: '{"capacity":' })).toMatchObject(BAD);
    expect(
      await ask(capacity, { raw: 'capacity=5', headers: { 'content-type': 'text/plain' } }),
    ).toMatchObject(BAD);
    const large = JSON.stringify({ capacity: 5, padding: 'x'.repeat(102_400) });
    expect(await ask(capacity, { raw: large })).toMatchObject({ status: 413, code: 'validation_error' });
  });
});

describe('an approval', () => {
  const approval = find('/approval/{id}/approve');

  it('an approval is given once, by the caller, with or without notes', async () => {
    const first = await ask(approval, { raw: '', headers: { 'content-length': 0 } });
    expect(first.data).toMatchObject({ id: 'approval-1', status: 'APPROVED', approvedByUserId: userId });
    const other = await signedInUser(latchkey);
    const again = await ask(approval, { token: other.token, body: { notes: 'me too' } });
    expect(again.data).toEqual(first.data);
  });

  it.each([[{ notes: 5 }], [{ notes: null }], [{ notes: ['x'] }], [{ notes: 'a\0b' }], [[]]])(
    'does not take %j',
    async (body) => {
      expect(await ask(approval, { body })).toMatchObject(BAD);
    },
  );
});

describe('the data of an artist', () => {
  const data = find('/artists/{id}/data-v2');
  const dataWith = (query: string) => platform.send('GET', `/artists/artist-1/data-v2${query}`, { token });

  it('the data of an artist is returned for one country, which is required', async () => {
    expect((await ask(data)).data).toMatchObject({ country: 'DE', listeners: 812 });
    for (const query of ['', '?country=', '?public=true']) expect(await dataWith(query)).toMatchObject(BAD);
  });

  it('the data of an artist has fewer contacts with public=true, also for a signed-in user', async () => {
    const contacts = find('/artists/{id}/contacts');
    expect((await ask(contacts)).items).toHaveLength(2);
    expect((await ask(contacts, { query: 'public=true' })).items).toHaveLength(1);
  });
});

describe('the transactions of a vendor', () => {
  const transactions = find('/vendors-system/vendors/{id}/transactions');
  const idsOf = async (query: string): Promise<string[]> => {
    const { data } = await ask(transactions, { query });
    return (data.transactions as { id: string }[]).map(({ id }) => id.replace('transaction-', ''));
  };

  it.each([
    ['', '1234'],
    ['eventIds=event-2', '4'],
    ['eventIds=event-1,event-2', '1234'],
    ['eventName=day', '4'],
    ['name=ticket', '1234'],
    ['type=REFUND', '3'],
    ['status=PAID', '124'],
    ['startDate=2026-11-09', '234'],
    ['startDate=2026-11-09&endDate=2026-11-10', '23'],
    ['limit=3', '123'],
    ['limit=3&page=2', '4'],
    ['page=9', ''],
  ])('transactions filtered by "%s" are %s', async (query, expected) => {
    expect((await idsOf(query)).join('')).toBe(expected);
  });

  it('the transactions of a vendor include their number', async () => {
    const { data } = await ask(transactions, { query: 'limit=3' });
    expect(data).toMatchObject({ total: 4, page: 1, limit: 3 });
    expect((await ask(transactions, { query: 'limit=5000' })).data.limit).toBe(1000);
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'limit=0',
    'limit=1e3',
    'limit=',
    'startDate=yesterday',
    'endDate=2026-02-30',
    'startDate=2026-11-10&endDate=2026-11-09',
    'eventIds=a,,b',
    `name=${'x'.repeat(201)}`,
  ])('transactions cannot be filtered by "%s"', async (query) => {
    expect(await ask(transactions, { query })).toMatchObject(BAD);
  });
});

describe('the app', () => {
  it('an internal failure reveals no details', async () => {
    const answer = await ask(broken);
    expect(answer).toMatchObject({ status: 500, code: 'internal_error' });
    expect(answer.text).not.toMatch(/hunter2|10\.0\.0\.7|Error|at /);
  });

  it('the app has no other endpoints', async () => {
    for (const [method, path] of [
      ['GET', '/venues'],
      ['DELETE', '/venues/details/venue-1'],
      ['GET', '/auth/me'],
    ] as const) {
      const answer = await platform.send(method, path, { token });
      assertSound(answer);
      expect(answer).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});
