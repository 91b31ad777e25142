import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { ApiClient, type ApiOptions } from '../support/api-client.js';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { FeedStream, type FeedEvent } from '../support/feed-stream.js';
import { takeApart } from '../support/forged-token.js';
import { allowedSince } from '../support/machine-lag.js';
import { openConnection } from '../support/open-connection.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { Scrape } from '../support/scrape.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { INTERNAL_KEY } from '../support/service.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

type Machine = (
  method: string,
  path: string,
  options?: ApiOptions,
) => ReturnType<typeof ApiClient.prototype.send>;

interface Opened {
  postgres: TestPostgres;
  service: ServiceProcess;
  machine: Machine;
}

/** A service with a PostgreSQL of its own, for this test. */
async function opened(
  { onTestFinished, expect }: Pick<TestContext, 'onTestFinished' | 'expect'>,
  env: Record<string, string> = {},
): Promise<Opened> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const service = await startService({
    env: {
      APP_ENV: 'test',
      DATABASE_URL: postgres.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const client = new ApiClient(service.url);
  onTestFinished(async () => {
    client.close();
    expect(await service.stop(), service.output()).toEqual({ code: 0, signal: null });
  });
  const machine: Machine = (method, path, options = {}) =>
    client.send(method, path, { ...options, headers: { 'x-internal-api-key': INTERNAL_KEY } });
  return { postgres, service, machine };
}

let users = 0;

/** A session whose end is still to come, and a function that ends it. */
async function newSession(machine: Machine): Promise<{ sid: string; end: () => Promise<number> }> {
  const body = { email: `user-${++users}@example.com`, fullName: 'User' };
  const user = await machine('POST', '/internal/admin/users', { body });
  const { data } = await machine('POST', `/internal/admin/users/${user.data.id}/sessions`);
  const sid = String(takeApart(data.accessToken).claims.sid);
  const end = async () => (await machine('POST', `/internal/admin/users/${user.data.id}/revoke-all`)).status;
  return { sid, end };
}

async function openStream(
  { service }: Opened,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
): Promise<FeedStream> {
  const stream = await FeedStream.open(service.url);
  onTestFinished(() => stream.close());
  await waitUntil(() => stream.events[0], { what: 'the first event' });
  return stream;
}

/** Waits until streams and polls that wait are so many. */
const untilListeners = (machine: Machine, count: number): Promise<unknown> =>
  waitUntil(
    async () => {
      const { text } = await machine('GET', '/metrics');
      return new Scrape(text).sum('latchkey_revocation_feed_listeners') === count;
    },
    { what: `${count} listeners` },
  );

const heartbeatsIn = ({ events }: FeedStream): FeedEvent[] =>
  events.filter(({ event }) => event === 'heartbeat');

/** Stops the server and its sessions, as a machine that hangs. @returns a function that lets them go on. */
async function pausePostgres(postgres: TestPostgres): Promise<() => void> {
  const connection = await openConnection(postgres.url);
  const { rows } = await connection.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  await connection.end();
  const pids = [postgres.pid, ...rows.map(({ pid }) => pid)];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids.toReversed()) process.kill(pid, 'SIGCONT');
  };
}

// At the same time, each with a PostgreSQL and a service of its own: they wait most of the time.
describe.concurrent('the revocation feed without PostgreSQL', () => {
  it('heartbeats stop and polls are refused while PostgreSQL hangs, and all goes on once it answers', async (test) => {
    const { expect } = test;
    const own = await opened(test);
    const { machine } = own;
    const session = await newSession(machine);
    const stream = await openStream(own, test);
    const poll = machine('GET', `/internal/revocations?after=${stream.cursor}&wait=25`);
    await untilListeners(machine, 2);
    const start = performance.now();
    const resume = await pausePostgres(own.postgres);
    // Until then a heartbeat may rest on what was read before.
    const silentFrom = performance.now() + 3_000;
    const late = () => heartbeatsIn(stream).filter(({ at }) => at > silentFrom);
    try {
      const refused = await poll;
      expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([
        503,
        'service_unavailable',
        '1',
      ]);
      expect(performance.now() - start).toBeLessThan(allowedSince(start, 4_500));
      for (const query of ['', `?after=${stream.cursor}`, `?after=${stream.cursor}&wait=5`]) {
        const askedAt = performance.now();
        expect(await machine('GET', `/internal/revocations${query}`), query).toMatchObject({
          status: 503,
          code: 'service_unavailable',
        });
        // The service knows by then, so it does not wait for a statement; that would take 4.5 seconds.
        expect(performance.now() - askedAt, query).toBeLessThan(allowedSince(askedAt, 1_500));
      }
      // One would be due, whatever its turn is.
      await sleep(Math.max(0, silentFrom + 5_500 - performance.now()));
      expect(late()).toEqual([]);
      expect(stream.hasEnded).toBe(false);
    } finally {
      resume();
    }
    await waitUntil(() => late().length > 0, { what: 'a heartbeat' });
    expect(await session.end()).toBe(200);
    await stream.entryOf(session.sid);
  });

  it('a stream outlives a killed PostgreSQL, and misses nothing that is revoked when it is back', async (test) => {
    const { expect } = test;
    const own = await opened(test);
    const { machine, postgres } = own;
    const [early, late] = [await newSession(machine), await newSession(machine)];
    const stream = await openStream(own, test);
    const { cursor } = stream;
    expect(await early.end()).toBe(200);
    await stream.entryOf(early.sid);
    await postgres.kill();
    const isRefused = async () =>
      (await machine('GET', `/internal/revocations?after=${cursor}`)).status === 503;
    await waitUntil(isRefused, { what: 'a refused poll' });
    await postgres.restart();
    const isReady = async () => (await machine('GET', '/ready')).status === 200;
    await waitUntil(isReady, { what: 'a ready service' });
    expect(await late.end()).toBe(200);
    await stream.entryOf(late.sid);
    expect(stream.hasEnded).toBe(false);
    const after = await machine('GET', `/internal/revocations?after=${cursor}`);
    expect(after.text).toContain(early.sid);
    expect(after.text).toContain(late.sid);
  });
});

describe.concurrent('the revocation feed of a service that stops', () => {
  it('at SIGTERM streams end at once, waiting polls answer empty, and new ones are sent to other replicas', async (test) => {
    const { expect } = test;
    const own = await opened(test, { SHUTDOWN_DELAY: '3' });
    const { machine, service } = own;
    const stream = await openStream(own, test);
    const { cursor } = stream;
    const poll = machine('GET', `/internal/revocations?after=${cursor}&wait=25`);
    await untilListeners(machine, 2);
    const start = performance.now();
    service.signal('SIGTERM');
    const ended = await besideProbe(
      async () => {
        const answer = await poll;
        await waitUntil(() => stream.hasEnded, { what: 'the end of the stream' });
        return answer;
      },
      () => machine('GET', '/health'),
    );
    const answer = ended.result;
    expect(ended.milliseconds).toBeLessThan(allowedMs(1_000, ended));
    expect([answer.status, answer.data.entries]).toEqual([200, []]);
    // During the delay everything else is served on.
    const waiting = await machine('GET', `/internal/revocations?after=${cursor}&wait=25`);
    expect([waiting.status, waiting.code]).toEqual([503, 'not_ready']);
    const refused = await FeedStream.open(service.url);
    expect(refused.status).toBe(503);
    expect((await machine('GET', `/internal/revocations?after=${String(answer.data.cursor)}`)).status).toBe(
      200,
    );
    await service.exited;
    expect(performance.now() - start).toBeLessThan(allowedSince(start, 10_000));
  });
});
