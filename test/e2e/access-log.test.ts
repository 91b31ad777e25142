import { request } from 'node:http';
import express from 'express';
import { beforeAll, afterAll, expect, it, onTestFinished } from 'vitest';
import { accessLog, createAuthRouter, createGuards, type AccessLogEntry } from '@latchkey/express-adapter';
import { ON_THE_SERVER } from '../support/binding.js';
import { startService } from '../support/service-process.js';
import { FACTOR_KEY, INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '1' } });
});

afterAll(() => service.stop());

type Line = Record<string, unknown>;

const linesOf = (log: string): Line[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** Returns the line of one request, which is written just after its response. */
const lineOf = (requestId: string, log = () => service.log()): Promise<Line> =>
  waitUntil(() => linesOf(log()).find((line) => line.requestId === requestId && 'durationMs' in line), {
    what: `the line of ${requestId}`,
  });

it.runIf(ON_THE_SERVER)(
  'the line of a request has method, route, path, status, time, address, user, session and request id',
  async () => {
    const { accessToken, id } = await service.signedIn();
    const headers = { 'x-request-id': 'access-log-1', 'x-forwarded-for': '203.0.113.7' };
    const path = `/internal/users/${id}`;
    await service.api('GET', `${path}?token=hunter2`, { token: accessToken, headers });
    const me = await service.api('GET', '/auth/me', { token: accessToken });
    const [session] = await service.sql('SELECT id FROM sessions WHERE user_id = $1', [id]);
    const line = await lineOf('access-log-1');
    expect(me.status).toBe(200);
    expect(line).toMatchObject({
      level: 30,
      msg: `GET ${path} 200`,
      method: 'GET',
      route: '/internal/users/{id}',
      path,
      status: 200,
      address: '203.0.113.7',
      userId: id,
      sessionId: session?.id,
    });
    expect(line.durationMs).toBeGreaterThan(0);
    expect(JSON.stringify(line)).not.toContain('hunter2');
  },
);

it.runIf(ON_THE_SERVER)(
  'the line of a sign-in names the user and the new session; the line of a failed sign-in names no user',
  async () => {
    const { id, email, password } = await service.createUser();
    const signIn = (requestId: string, body: object) =>
      service.api('POST', '/auth/login', { body, headers: { 'x-request-id': requestId } });
    await signIn('sign-in-good', { email, password });
    await signIn('sign-in-wrong', { email, password: 'not the password' });
    const [session] = await service.sql('SELECT id FROM sessions WHERE user_id = $1', [id]);
    expect(await lineOf('sign-in-good')).toMatchObject({ status: 200, userId: id, sessionId: session?.id });
    const wrong = await lineOf('sign-in-wrong');
    expect(wrong).toMatchObject({ status: 401, route: '/auth/login' });
    expect(wrong).not.toHaveProperty('userId');
  },
);

it.runIf(ON_THE_SERVER)(
  'the line of a refused request names the user, that of a machine names none, and a path without a route has no route',
  async () => {
    const { id, accessToken } = await service.signedIn();
    await service.api('GET', '/internal/users', {
      token: accessToken,
      headers: { 'x-request-id': 'refused-1' },
    });
    await service.machine('GET', '/internal/admin/users', { headers: { 'x-request-id': 'machine-1' } });
    await service.api('GET', '/no-such-path', { headers: { 'x-request-id': 'nowhere-1' } });
    expect(await lineOf('refused-1')).toMatchObject({ status: 403, userId: id });
    expect(await lineOf('machine-1')).not.toHaveProperty('userId');
    expect(await lineOf('nowhere-1')).toMatchObject({ status: 404, path: '/no-such-path' });
    expect(await lineOf('nowhere-1')).not.toHaveProperty('route');
  },
);

it.runIf(ON_THE_SERVER)(
  'a server error is logged at error with its status as a number, and a probe that fails at warn',
  async () => {
    await service.sql('ALTER TABLE users RENAME TO users_away');
    onTestFinished(async () => {
      await service.sql('ALTER TABLE IF EXISTS users_away RENAME TO users');
    });
    await fetch(`${service.url}/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ann@example.com', password: 'a long walk home' }),
      headers: { 'content-type': 'application/json', 'x-request-id': 'failure-1' },
    });
    await service.sql('ALTER TABLE users_away RENAME TO users');
    expect(await lineOf('failure-1')).toMatchObject({ level: 50, status: 500, route: '/auth/login' });
    const unforeseen = linesOf(service.log()).find(({ msg }) => msg === 'unforeseen failure');
    expect(unforeseen).toMatchObject({ requestId: 'failure-1' });
    service.auth.health.stop();
    await service.api('GET', '/ready', { headers: { 'x-request-id': 'probe-is-503' } });
    expect(await lineOf('probe-is-503')).toMatchObject({ level: 40, status: 503, route: '/ready' });
  },
);

it.runIf(ON_THE_SERVER)(
  'a client that leaves before the response is marked as aborted, without a status',
  async () => {
    const body = JSON.stringify({ email: 'gone@example.com', password: 'a long walk home' });
    const headers = { 'content-type': 'application/json', 'x-request-id': 'gone-away-1' };
    const outgoing = request(`${service.url}/auth/login`, { method: 'POST', headers });
    outgoing.on('error', () => undefined);
    // The rest of the body never arrives.
    outgoing.setHeader('content-length', body.length + 1);
    outgoing.write(body);
    setTimeout(() => outgoing.destroy(), 200);
    const line = await lineOf('gone-away-1');
    expect(line).toMatchObject({ aborted: true, msg: 'POST /auth/login aborted by the client' });
  },
);

it('a host app gets the same for routes of the service and for its own behind guards', async () => {
  const entries: AccessLogEntry[] = [];
  const app = express();
  const { requireAuth } = createGuards(service.auth);
  app.use(accessLog((entry) => void entries.push(entry)));
  app.use('/id', createAuthRouter(service.auth));
  app.get('/invoices/:number', requireAuth, (_request, response) => void response.json([]));
  const server = app.listen(0);
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as { port: number };
  const { id, accessToken } = await service.signedIn();
  for (const path of ['/id/auth/me', '/invoices/7?token=x']) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    await reply.text();
  }
  await waitUntil(() => entries.length === 2, { what: 'two entries' });
  expect(entries).toMatchObject([
    { route: '/auth/me', path: '/id/auth/me', status: 200, userId: id },
    { route: '/invoices/{number}', path: '/invoices/7', status: 200, userId: id },
  ]);
});

it('lines of the service itself say which service, version and instance they are from, and the start has fields', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { url, pid, output, stop, port } = await started(database.url);
  onTestFinished(async () => {
    await stop();
  });
  await fetch(`${url}/auth/me`, { headers: { 'x-request-id': 'of-a-process' } });
  const line = await lineOf('of-a-process', output);
  const base = { service: 'latchkey', version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string };
  expect(line).toMatchObject({ ...base, level: 'info', status: 401 });
  expect(line.instance).toMatch(new RegExp(`^.+:${pid}$`));
  const start = linesOf(output()).find((found) => 'startup' in found);
  expect(start).toMatchObject({
    ...base,
    msg: expect.stringMatching(/^Latchkey \S+ is ready$/) as string,
    startup: {
      environment: 'test',
      host: '127.0.0.1',
      port,
      redis: 'in-process',
      defaults: ['REDIS_URL', 'SMTP_URL'],
    },
  });
});

async function started(databaseUrl: string) {
  const process = await startService({
    env: {
      APP_ENV: 'test',
      DATABASE_URL: databaseUrl,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      FACTOR_ENCRYPTION_KEYS: FACTOR_KEY,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
    },
  });
  const { url, pid, port } = process;
  return { url, pid, port, output: () => process.output(), stop: () => process.stop() };
}
