import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { FACTOR_KEY, INTERNAL_KEY } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { SpanCollector, type CollectedSpan } from '../support/tracing/span-collector.js';
import { waitUntil } from '../support/wait-until.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const COMPANY = '018f4e6e-0000-7000-8000-00000000000a';
const PERSON = { email: 'traced@example.com', password: 'a long enough password', fullName: 'Tracy Traced' };

/** Answers entitlements, and keeps the headers of the last request for them. */
async function startCoreService() {
  let headers: IncomingHttpHeaders | undefined;
  const server = createServer((request, response) => {
    headers = request.headers;
    response.end(JSON.stringify({ modules: ['billing'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, headers: () => headers, stop: () => server.close() };
}

describeWithRedis('tracing', () => {
  let redis: TestRedis;
  let database: TestDatabase;
  let collector: SpanCollector;
  let core: Awaited<ReturnType<typeof startCoreService>>;
  let service: ServiceProcess;

  beforeAll(async () => {
    [redis, database, collector, core] = await Promise.all([
      startRedis(),
      createTestDatabase(),
      SpanCollector.start(),
      startCoreService(),
    ]);
    service = await startService({
      program: 'cheap-passwords-server',
      env: {
        ...collector.env,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        CORE_BASE_URL: core.url,
        JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
        FACTOR_ENCRYPTION_KEYS: FACTOR_KEY,
        AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
        PUBLIC_REGISTRATION_ENABLED: 'true',
        REGISTRATION_APPROVAL: 'none',
      },
    });
  });

  afterAll(async () => {
    await service.stop();
    core.stop();
    await Promise.all([collector.stop(), database.drop(), redis.stop()]);
  });

  const send = (path: string, init: { body?: object; headers?: Record<string, string> } = {}) =>
    fetch(service.url + path, {
      method: init.body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...init.headers },
      ...(init.body && { body: JSON.stringify(init.body) }),
    });

  /** Returns the spans of a trace once its first one has ended, which is sent last. */
  const traceOf = (matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan[]> =>
    waitUntil(
      () => {
        const first = collector.spans.find(matches);
        return first && collector.spans.filter(({ traceId }) => traceId === first.traceId);
      },
      { what: 'the span' },
    );

  const requestOf = (name: string) => traceOf((span) => span.name === name);

  it('a sign-in continues the trace of its caller, with a span for its route, statements, hash and Redis', async () => {
    expect((await send('/auth/register', { body: PERSON })).status).toBe(201);
    const { email, password } = PERSON;
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
    const answer = await send('/auth/login', { body: { email, password }, headers });
    expect(answer.status).toBe(200);
    const spans = await requestOf('POST /auth/login');
    const [route] = spans.filter(({ kind }) => kind === 2);
    expect(route).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/auth/login',
        'http.response.status_code': 200,
      },
    });
    const names = spans.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['user_for_login', 'password verify', 'session_open']));
    expect(names.some((name) => name.startsWith('redis '))).toBe(true);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    for (const span of spans.filter((each) => each !== route)) expect(ids).toContain(span.parentSpanId);
    const registration = (await requestOf('POST /auth/register')).map(({ name }) => name);
    expect(registration).toEqual(
      expect.arrayContaining([
        'password hash',
        'transaction',
        'user_insert',
        'insert email_verification_tokens',
      ]),
    );
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    for (const { name, attributes } of statements) expect(attributes['db.query.summary']).toBe(name);
  });

  it('no span has an address, a name, a secret or an id of a request', async () => {
    await requestOf('POST /auth/login');
    const text = JSON.stringify(collector.spans.map(({ name, attributes }) => ({ name, attributes })));
    expect(text).not.toMatch(/traced@example|Tracy|long enough|argon2id|lkr_|eyJ/);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it('the lines of a request in the log have the ids of its trace', async () => {
    const id = '7'.repeat(32);
    await send('/auth/me', { headers: { traceparent: `00-${id}-${CALLER}-01`, 'x-request-id': 'traced-1' } });
    const line = await waitUntil(
      () =>
        service
          .output()
          .split('\n')
          .find((each) => each.includes('"requestId":"traced-1"')),
      { what: 'the line of the request' },
    );
    expect(JSON.parse(line)).toMatchObject({ trace_id: id });
    expect(line).toMatch(/"span_id":"[0-9a-f]{16}"/);
  });

  it('a request to the core service carries the trace on', async () => {
    const { email, password } = PERSON;
    const login = await send('/auth/login', { body: { email, password } });
    const { data } = (await login.json()) as { data: { accessToken: string } };
    const me = await send('/auth/me', { headers: { authorization: `Bearer ${data.accessToken}` } });
    const { data: user } = (await me.json()) as { data: { id: string } };
    await send(`/internal/admin/companies/${COMPANY}/memberships`, {
      body: { userId: user.id },
      headers: { 'x-internal-api-key': INTERNAL_KEY },
    });
    const id = '8'.repeat(32);
    const headers = { authorization: `Bearer ${data.accessToken}`, 'x-org': COMPANY };
    const access = await send('/auth/me/access', {
      headers: { ...headers, traceparent: `00-${id}-${CALLER}-01` },
    });
    expect(access.status).toBe(200);
    const spans = await requestOf('GET /auth/me/access');
    const call = spans.find(({ name }) => name === 'GET entitlements');
    expect(call).toMatchObject({ traceId: id, kind: 3 });
    expect(core.headers()?.traceparent).toBe(`00-${id}-${call?.spanId}-01`);
  });

  it('a mail has a trace of its own, which names its kind', async () => {
    const spans = await traceOf(({ name }) => name.startsWith('mail '));
    const [mail] = spans.filter(({ name }) => name.startsWith('mail '));
    expect(mail).toMatchObject({ parentSpanId: '', kind: 3 });
    expect(mail?.attributes['latchkey.mail.kind']).toBe(mail?.name.slice('mail '.length));
  });

  it('a failure of a dependency marks its span and the span of the request as failed', async () => {
    redis.pause();
    try {
      const answer = await send('/auth/handoff/exchange', { body: { code: `lkh_${'A'.repeat(43)}` } });
      expect(answer.status).toBe(503);
    } finally {
      redis.resume();
    }
    const spans = await requestOf('POST /auth/handoff/exchange');
    expect(spans.find(({ kind }) => kind === 2)).toMatchObject({ status: 2 });
    expect(spans.find(({ name }) => name === 'redis get_and_delete')).toMatchObject({
      status: 2,
      attributes: { 'error.type': 'service_unavailable' },
    });
  });
});

it('nothing of OpenTelemetry is imported while tracing is off', async () => {
  const database = await createTestDatabase();
  const importsOf = async (env: Record<string, string>): Promise<string[]> => {
    const NODE_OPTIONS = `--import=${fileURLToPath(new URL('../support/tracing/report-imports.mjs', import.meta.url))}`;
    const JWT_SIGNING_KEY_PEM = testKeys().privateKeyPem;
    const service = await startService({
      program: 'cheap-passwords-server',
      env: {
        ...env,
        NODE_OPTIONS,
        JWT_SIGNING_KEY_PEM,
        DATABASE_URL: database.url,
        FACTOR_ENCRYPTION_KEYS: FACTOR_KEY,
      },
    });
    await fetch(`${service.url}/auth/me`);
    await service.stop();
    return service.output().match(/^imported: .*$/gm) ?? [];
  };
  try {
    expect(await importsOf({})).toEqual([]);
    expect((await importsOf({ TRACING: 'true' })).join()).toContain('@opentelemetry/api');
  } finally {
    await database.drop();
  }
});
