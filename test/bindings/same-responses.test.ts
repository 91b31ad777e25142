import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINDING_NAMES, EveryBinding } from '../support/every-binding.js';
import { mintTokens } from '../support/minted-token.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';

const COMPANY = '018f4e6e-0000-7000-8000-0000000000c1';
const LIST = `/internal/admin/companies/${COMPANY}/memberships?limit=10000`;
const MACHINE = { 'x-internal-api-key': INTERNAL_KEY };

let service: TestService;
let token: string;
let bindings: EveryBinding;

beforeAll(async () => {
  service = await startTestService();
  bindings = await EveryBinding.open(service);
  const user = await service.createUser();
  ({ token } = await mintTokens(service, user.id));
  await fillCompany();
});

afterAll(async () => {
  bindings.close();
  await service.stop();
});

/** A company with 10,000 members. */
async function fillCompany(): Promise<void> {
  await service.sql(
    `INSERT INTO users (id, email, full_name, approval_status, is_active)
     SELECT gen_random_uuid(), 'member-' || n || '@example.com', 'Member ' || n, 'APPROVED', true
     FROM generate_series(1, 10000) AS n`,
  );
  await service.sql(
    `INSERT INTO company_memberships (id, user_id, company_id)
     SELECT gen_random_uuid(), id, $1 FROM users WHERE email LIKE 'member-%'`,
    [COMPANY],
  );
}

interface Received {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Headers that name a moment or a connection. */
const PASSING = ['date', 'x-request-id', 'connection', 'keep-alive', 'etag'];

function send(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: string } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = request(base + path, { method, headers: { ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const kept = Object.entries(incoming.headers).filter(([name]) => !PASSING.includes(name));
        resolve({
          status: incoming.statusCode,
          headers: Object.fromEntries(kept.sort(([a], [b]) => a.localeCompare(b))),
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.on('error', reject).end(body);
  });
}

/** Sends the same request to every binding and expects the same response, byte by byte. */
async function expectSame(path: string, init?: Parameters<typeof send>[2]): Promise<Received> {
  const received = new Map<string, Received>();
  for (const [name, base] of bindings.addresses) received.set(name, await send(base, path, init));
  const [first, ...others] = received;
  if (!first) throw new Error('There is no binding.');
  for (const [name, each] of others) expect([name, each]).toEqual([name, first[1]]);
  return first[1];
}

const JSON_BODY = { 'content-type': 'application/json' };

describe('every binding gives the same response to', () => {
  it.each([
    ['a route', '/health', {}, 200],
    ['HEAD', '/health', { method: 'HEAD' }, 200],
    ['a missing token', '/auth/me', {}, 401],
    ['problem details', '/auth/me', { headers: { accept: 'application/problem+json' } }, 401],
    ['a method that the path does not have', '/auth/me', { method: 'DELETE' }, 404],
    ['a path that does not exist', '/nowhere', {}, 404],
    ['a path in capitals', '/Auth/me', {}, 404],
    ['a malformed path', '/auth/sessions/%zz', { method: 'DELETE' }, 400],
    ['a malformed query', '/auth/sessions?limit=%ff', {}, 401],
    ['a body that is not JSON', '/auth/login', { method: 'POST', body: '{', headers: JSON_BODY }, 400],
    [
      'a body of another type',
      '/auth/login',
      { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/plain' } },
      400,
    ],
    ['no body', '/auth/login', { method: 'POST' }, 400],
    [
      'a compressed body',
      '/auth/login',
      { method: 'POST', body: 'x', headers: { ...JSON_BODY, 'content-encoding': 'gzip' } },
      400,
    ],
    [
      'a body that is too long',
      '/auth/login',
      { method: 'POST', body: 'x'.repeat(150_000), headers: JSON_BODY },
      413,
    ],
    ['the OpenAPI document', '/openapi.json', {}, 200],
    ['the key set', '/.well-known/jwks.json', {}, 200],
  ] as const)('%s', async (_what, path, init, status) => {
    expect((await expectSame(path, init)).status).toBe(status);
  });

  it('a signed-in user', async () => {
    const { body } = await expectSame('/auth/me', { headers: { authorization: `Bearer ${token}` } });
    expect(JSON.parse(body)).toMatchObject({ success: true });
  });

  it('a list of 10,000, which is streamed', async () => {
    const { status, headers, body } = await expectSame(LIST, { headers: MACHINE });
    expect([status, headers['content-length'], headers['x-total-count']]).toEqual([200, undefined, '10000']);
    expect((JSON.parse(body) as { data: unknown[] }).data).toHaveLength(10_000);
    expect((await expectSame(LIST, { method: 'HEAD', headers: MACHINE })).body).toBe('');
  });

  it('a page of revocations', async () => {
    const { body } = await send(service.url, '/internal/revocations', { headers: MACHINE });
    const { data } = JSON.parse(body) as { data: { cursor: string } };
    const { status } = await expectSame(`/internal/revocations?after=${data.cursor}x`, { headers: MACHINE });
    expect(status).toBe(410);
    for (const base of bindings.addresses.values()) {
      const page = await send(base, '/internal/revocations', { headers: MACHINE });
      expect(JSON.parse(page.body)).toMatchObject({ success: true, data: { entries: [] } });
      expect(page.headers['content-length']).toBe(String(Buffer.byteLength(page.body)));
    }
  });

  it('an asset of the pages, and the same once it is known', async () => {
    const [base = ''] = bindings.addresses.values();
    const { body } = await send(base, '/login');
    const path = /\/auth\/assets\/[\w-]+\.css/.exec(body)?.[0] ?? '';
    const { status, headers } = await expectSame(path);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    const name = path.split('/').at(-1) ?? '';
    expect((await expectSame(path, { headers: { 'if-none-match': `"${name}"` } })).status).toBe(304);
  });
});

describe.each(BINDING_NAMES)('on %s', (name) => {
  const base = (): URL => new URL(bindings.addresses.get(name) ?? '');

  it('a body that stops in the middle is a bad request within the time of a response', async () => {
    const socket = connect(Number(base().port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"a":',
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    await expect.poll(() => text.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
    expect(text).toContain('did not arrive in full');
    socket.destroy();
  });

  it('a client that closes its half of the connection still gets its response', async () => {
    const socket = connect({ port: Number(base().port), host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.end('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await expect.poll(() => text).toContain('HTTP/1.1 200 OK');
    socket.destroy();
  });

  it('a client that leaves in the middle of a list ends its reading', async () => {
    const outgoing = request(new URL(LIST, base()), {
      headers: MACHINE,
    }).end();
    const [incoming] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    await once(incoming, 'data');
    outgoing.destroy();
    expect((await send(base().origin, '/health')).status).toBe(200);
  });

  it('a stream of events begins with a snapshot, and ends when the client leaves', async () => {
    const outgoing = request(new URL('/internal/revocations', base()), {
      headers: { ...MACHINE, accept: 'text/event-stream' },
    }).end();
    const [incoming] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    const [chunk] = (await once(incoming, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^event: snapshot\n/);
    outgoing.destroy();
    const isFollowed = async () => !(await service.auth.metrics.text()).includes('feed_listeners 0\n');
    await expect.poll(isFollowed).toBe(false);
  });
});
