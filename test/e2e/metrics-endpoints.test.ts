import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuth, readSettings, unknownClient, type Auth, type CreateAuthOptions } from '@latchkey/core';
import { createAuthRouter, metricsHandler } from '@latchkey/express-adapter';
import { freePort } from '../../tools/shared/free-port.mjs';
import { ApiClient } from '../support/api-client.js';
import { hostAppForThisTest } from '../support/host-app.js';
import { describeWithRedis } from '../support/redis.js';
import { getMetrics, Scrape, scrape } from '../support/scrape.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';

const NOT_FOUND = { status: 404, code: 'not_found' };

async function authForThisTest(options: CreateAuthOptions = {}): Promise<Auth> {
  const database = await createTestDatabase();
  const auth = await createAuth(
    readSettings({
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
    }),
    { migrate: false, ...options },
  );
  onTestFinished(async () => {
    await auth.close();
    await database.drop();
  });
  return auth;
}

describe('METRICS_PORT', () => {
  it('METRICS_PORT serves the metrics without a key, and nothing else, while the other port has none', async () => {
    const metricsPort = await freePort();
    const service = await serviceForThisTest({ env: { METRICS_PORT: String(metricsPort) } });
    const client = new ApiClient(`http://127.0.0.1:${metricsPort}`);
    onTestFinished(() => client.close());

    expect(await service.machine('GET', '/metrics')).toMatchObject(NOT_FOUND);
    const answer = await getMetrics({ client }, {});
    expect(answer.status).toBe(200);
    expect(new Scrape(answer.text).sum('latchkey_dependency_up', { dependency: 'database' })).toBe(1);
    expect(await client.send('GET', '/auth/me')).toMatchObject(NOT_FOUND);
    expect(await client.send('GET', '/health')).toMatchObject(NOT_FOUND);
    expect(await client.send('POST', '/metrics', { body: {} })).toMatchObject(NOT_FOUND);
    expect(service.log()).toContain(`http://127.0.0.1:${metricsPort}/metrics"`);
  });

  it('METRICS_PORT is free again when the service has stopped', async () => {
    const port = await freePort();
    const service = await startTestService({ env: { METRICS_PORT: String(port) } });
    await service.stop();
    const probe = createServer();
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => probe.close(resolve));
  });

  it('METRICS_PORT in use ends the start', async () => {
    const port = await freePort();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await new Promise((resolve) => taken.close(resolve));
    });
    const start = startTestService({ env: { METRICS_PORT: String(port) } });
    await expect(start).rejects.toThrow(
      new RegExp(`METRICS_PORT\\s+found\\s+${port}, which another program uses`),
    );
  });
});

describe('a host app', () => {
  it('a host app has the metrics behind the internal key under its prefix, and without one where it mounts the handler', async () => {
    const auth = await authForThisTest();
    const app = await hostAppForThisTest((host) => {
      host.use('/identity', createAuthRouter(auth));
      host.get('/internal-metrics', metricsHandler(auth));
    });
    expect((await app.send('GET', '/identity/metrics')).status).toBe(403);
    const headers = { 'x-internal-api-key': INTERNAL_KEY };
    expect((await app.send('GET', '/identity/metrics', { headers })).status).toBe(200);
    await app.send('GET', '/identity/health');
    const answer = await app.send('GET', '/internal-metrics');
    expect(answer.status).toBe(200);
    const scraped = new Scrape(answer.text);
    expect(scraped.of('latchkey_http_request_duration_seconds_count')).toMatchObject([
      { labels: { route: '/health', method: 'GET', status: '200' }, value: 1 },
    ]);
  });

  it('a host app with two auths has two sets of metrics, which do not count for each other', async () => {
    const [one, two] = [await authForThisTest(), await authForThisTest()];
    const refused = one.refresh.refresh('no-token', unknownClient);
    await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
    const unknown = async (auth: Auth) =>
      new Scrape(await auth.metrics.text()).sum('latchkey_refreshes_total', { outcome: 'unknown' });
    expect([await unknown(one), await unknown(two)]).toEqual([1, 0]);
  });

  it('a host app sees how often companies are looked up, and where ENFORCED would answer differently', async () => {
    const [company, userId] = [randomUUID(), randomUUID()];
    const answer = { modules: ['a', 'b'], accessPolicyMode: 'SHADOW' as const };
    const auth = await authForThisTest({ entitlements: (id) => (id === company ? answer : undefined) });
    const subject = { userId, globalRole: 'PLATFORM_SUPERADMIN' as const, memberships: NOWHERE };
    const member = { ...subject, memberships: { ...NOWHERE, companies: [memberOf(company, userId)] } };
    await auth.access.resolve(subject, company);
    await auth.access.resolve(member, company);
    await expect(auth.access.resolve(subject, randomUUID())).rejects.toMatchObject({ code: 'forbidden' });
    const scraped = new Scrape(await auth.metrics.text());
    const lookups = (outcome: string) =>
      scraped.sum('latchkey_entitlements_lookup_duration_seconds_count', { outcome });
    expect([lookups('success'), lookups('denied'), lookups('error')]).toEqual([2, 1, 0]);
    const compared = (result: string) => scraped.sum('latchkey_access_shadow_comparisons_total', { result });
    expect([compared('same'), compared('different')]).toEqual([0, 1]);
  });

  it('a host app that closes its auth is measured no more, and can still read what was counted', async () => {
    const auth = await authForThisTest();
    await auth.metrics.text();
    // Ensures samples from before the end, and a new interval after the last text.
    await sleep(50);
    await auth.close();
    await blockTheEventLoop();
    const scraped = new Scrape(await auth.metrics.text());
    expect(scraped.sum('nodejs_eventloop_lag_max_seconds')).toBeLessThan(BLOCKED_MS / 1000);
  });
});

it('an unavailable database leaves gaps in the metrics and fails nothing', async () => {
  const database = await createTestDatabase();
  const link = await TcpLink.to(database.url);
  onTestFinished(async () => {
    await link.close();
    await database.drop();
  });
  const service = await serviceForThisTest({ databaseUrl: link.by(database.url) });
  link.cut();
  const scraped = await scrape(service);
  expect(scraped.sum('latchkey_dependency_up', { dependency: 'database' })).toBe(0);
  expect(scraped.of('latchkey_mail_outbox_mails')).toEqual([]);
  expect(scraped.of('latchkey_mail_outbox_oldest_pending_age_seconds')).toEqual([]);
  expect(scraped.sum('latchkey_refreshes_total', { outcome: 'rotated' })).toBe(0);
});

it('waiting mail is shown with its age, and abandoned mail as failed', async () => {
  const service = await serviceForThisTest();
  const insert = (status: string, error: string | null, age: string) =>
    service.sql(
      `INSERT INTO mail_outbox (id, kind, recipient, status, last_error, created_at, next_attempt_at)
       VALUES (gen_random_uuid(), 'password_changed', 'ann@example.com', $1, $2, now() - $3::interval, now() + interval '1 h')`,
      [status, error, age],
    );
  await insert('PENDING', null, '10 s');
  await insert('PENDING', 'busy', '100 s');
  await insert('PENDING', 'busy', '1 s');
  await insert('DEAD', 'no such mailbox', '1 day');
  const scraped = await scrape(service);
  const states = scraped.of('latchkey_mail_outbox_mails').map(({ labels, value }) => [labels.state, value]);
  expect(Object.fromEntries(states)).toEqual({ waiting: 1, retrying: 2, failed: 1 });
  const age = scraped.sum('latchkey_mail_outbox_oldest_pending_age_seconds') ?? 0;
  expect(age).toBeGreaterThanOrEqual(100);
  expect(age).toBeLessThan(160);
});

describeWithRedis('without Redis', () => {
  const decisionsOf = (scraped: Scrape) =>
    Object.fromEntries(
      scraped
        .of('latchkey_rate_limit_decisions_total')
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => [`${labels.limit ?? ''} ${labels.decision ?? ''}`, value]),
    );

  it.each([
    ['open', { 'address store_away_open': 1, 'account store_away_open': 1 }],
    ['closed', { 'address store_away_closed': 1 }],
  ])('the limits decide as fail mode %s requires, and the metrics show that', async (failMode, decisions) => {
    const service = await serviceForThisTest({ redis: true, env: { RATE_LIMIT_FAIL_MODE: failMode } });
    service.redis?.kill();
    const { email, password } = await service.createUser();
    await service.api('POST', '/auth/login', { body: { email, password } });
    const scraped = await scrape(service);
    expect(decisionsOf(scraped)).toEqual(decisions);
    expect(scraped.sum('latchkey_dependency_up', { dependency: 'redis' })).toBe(0);
    expect(scraped.sum('latchkey_ephemeral_store_errors_total')).toBeGreaterThan(0);
  });
});

const NOWHERE = { companies: [], businessUnits: [] };

/** A member without grants, who has all modules in SHADOW and none in ENFORCED. */
const memberOf = (companyId: string, userId: string) => ({
  id: randomUUID(),
  userId,
  companyId,
  role: 'MEMBER',
  isActive: true,
  approvalLimit: null,
  financeRole: null,
  isPrimaryFinanceAdmin: false,
  moduleGrants: [],
  permissionGrants: [],
  delegation: { canManageUsers: false, canBuyAddons: false, grantableModules: [], grantablePermissions: [] },
  createdAt: new Date(),
  updatedAt: new Date(),
});

const BLOCKED_MS = 2_000;

/** Returns what a running measurement would record. */
async function blockTheEventLoop(): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  await sleep(50);
}
