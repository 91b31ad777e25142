import { Agent, request } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiClient, type Answer } from '../support/api-client.js';
import { openConnection } from '../support/open-connection.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { INTERNAL_KEY } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

const CONNECTIONS = 20;

let database: TestDatabase;
let service: ServiceProcess;
let client: ApiClient;

async function start(settings: Record<string, string> = {}): Promise<void> {
  service = await startService({
    env: {
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  client = new ApiClient(service.url);
}

/** Replaces the service by one with further settings. */
async function startAgain(settings: Record<string, string>): Promise<void> {
  client.close();
  await service.stop();
  await start(settings);
}

beforeEach(async () => {
  database = await createTestDatabase();
  await start();
});

afterEach(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

const headers = { 'x-internal-api-key': INTERNAL_KEY };
const createUser = (email: string): Promise<Answer> =>
  client.call('POST', '/internal/admin/users', { headers, body: { email, fullName: 'User' } });

async function accessToken(): Promise<string> {
  const { data } = await createUser('user@example.com');
  const minted = await client.call('POST', `/internal/admin/users/${data.id}/sessions`, { headers });
  return minted.data.accessToken;
}

/** Like a load balancer: the readiness probe decides whether requests are sent. */
async function untilUnready(): Promise<Answer> {
  return waitUntil(
    async () => {
      const answer = await client.send('GET', '/ready');
      return answer.status === 503 && answer;
    },
    { what: 'GET /ready to answer 503' },
  );
}

/** The status, or what became of the request: `refused` when no server had taken its connection yet, else `lost`. */
function fateOf(path: string, token: string, agent: Agent): Promise<number | 'refused' | 'lost'> {
  return new Promise((resolve) => {
    const outgoing = request(service.url + path, { agent, headers: { authorization: `Bearer ${token}` } });
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => resolve('lost'));
      incoming.on('end', () => resolve(incoming.statusCode ?? 0)).resume();
    });
    outgoing.on('error', () => resolve(outgoing.reusedSocket ? 'lost' : 'refused'));
    outgoing.end();
  });
}

it('a stop under load is announced first, answers every request and exits with 0', async () => {
  const token = await accessToken();
  const agent = new Agent({ keepAlive: true });
  const fates: (number | 'refused' | 'lost')[] = [];
  let inRotation = true;
  const connection = async () => {
    while (inRotation) fates.push(await fateOf('/auth/me', token, agent));
  };
  const load = Array.from({ length: CONNECTIONS }, connection);
  await waitUntil(() => fates.length > CONNECTIONS, { what: 'more requests than connections' });
  expect(new Set(fates)).toEqual(new Set([200]));
  service.signal('SIGTERM');
  const unready = await untilUnready();
  expect(unready).toMatchObject({ code: 'not_ready', headers: { connection: 'close' } });
  inRotation = false;
  await Promise.all(load);
  agent.destroy();
  expect(fates.filter((fate) => fate !== 200 && fate !== 'refused')).toEqual([]);
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

const WAITING = 'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass';

/** Does the work while requests that need users are running: all wait for a lock, which is released after it. */
async function whileRunning(
  requests: () => Promise<Answer>[],
  work: () => Promise<unknown>,
): Promise<Answer[]> {
  const blocker = await openConnection(database.url);
  try {
    await blocker.query('BEGIN; LOCK TABLE users');
    const started = requests();
    const areRunning = async () => (await blocker.query(WAITING, ['users'])).rows.length === started.length;
    await waitUntil(areRunning, { what: 'a statement of each request' });
    await work();
    await blocker.query('COMMIT');
    return await Promise.all(started);
  } finally {
    await blocker.end();
  }
}

it('a request that is running when the signal arrives is answered', async () => {
  await startAgain({ LOG_LEVEL: 'info' });
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  // The connections are open when the lock is taken: a statement waits for it at most three seconds.
  await Promise.all(emails.map((email) => createUser(`first-${email}`)));
  const locked = performance.now();
  const running = await whileRunning(
    () => emails.map(createUser),
    async () => {
      service.signal('SIGTERM');
      // Not a request: an idle connection is closed as soon as the service hears of nothing new.
      await waitUntil(() => service.output().includes('stopping on SIGTERM'), { what: 'the stop' });
    },
  );
  // A busy machine may hold the lock for longer: then the limit of the statement is the answer.
  const isPunctual = performance.now() - locked < 2_500;
  for (const { status } of running) expect(isPunctual ? [201] : [201, 503]).toContain(status);
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

it('a second signal stops the service at once', async () => {
  // Without a delay, an idle service may have stopped before the second signal.
  await startAgain({ SHUTDOWN_DELAY: '60' });
  service.signal('SIGTERM');
  await untilUnready();
  service.signal('SIGTERM');
  expect(await service.exited).toEqual({ code: 1, signal: null });
});

it('SIGINT stops the service as gracefully as SIGTERM', async () => {
  service.signal('SIGINT');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});
