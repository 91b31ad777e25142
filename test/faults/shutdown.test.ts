import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { ApiClient, type Answer } from '../support/api-client.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { INTERNAL_KEY } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

const CONNECTIONS = 20;

let database: TestDatabase;
let service: ServiceProcess;
let client: ApiClient;

beforeEach(async () => {
  database = await createTestDatabase();
  service = await startService({
    env: {
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      LOG_LEVEL: 'warn',
    },
  });
  client = new ApiClient(service.url);
});

afterEach(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

async function accessToken(): Promise<string> {
  const headers = { 'x-internal-api-key': INTERNAL_KEY };
  const body = { email: 'user@example.com', fullName: 'User' };
  const { data } = await client.call('POST', '/internal/admin/users', { headers, body });
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
  await sleep(500);
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

it('a request that is running when the signal arrives is answered', async () => {
  const token = await accessToken();
  const body = { password: 'a password to be hashed', fullName: 'Slow' };
  const headers = { 'x-internal-api-key': INTERNAL_KEY };
  const create = (email: string) =>
    client.call('POST', '/internal/admin/users', { headers, body: { ...body, email } });
  // The first hashes start the threads, which a loaded machine may not do in the time that a request waits for one.
  await waitUntil(async () => (await create('first@example.com')).status === 201, { what: 'a hash' });
  const slow = [1, 2, 3].map((n) => create(`slow-${n}@example.com`));
  // Behind them on the event loop: when this one is answered, they have arrived.
  await client.call('GET', '/auth/me', { token });
  service.signal('SIGTERM');
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(3).fill(201));
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

/** Sends a part of a request, for whose rest the service waits for seconds, also while it stops. */
async function leaveRequestOpen(): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  await once(socket, 'connect');
  // Behind it on the event loop: when this one is answered, the part has arrived.
  await client.call('GET', '/health');
}

it('a second signal stops the service at once', async () => {
  // An idle service may have stopped before the second signal.
  await leaveRequestOpen();
  service.signal('SIGTERM');
  await untilUnready();
  service.signal('SIGTERM');
  expect(await service.exited).toEqual({ code: 1, signal: null });
});

it('SIGINT stops the service as gracefully as SIGTERM', async () => {
  service.signal('SIGINT');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});
