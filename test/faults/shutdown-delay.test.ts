import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

const DELAY_MS = 3_000;
/** Slow enough for a kept-alive connection to be idle between two requests. */
const PACE_MS = 150;

let database: TestDatabase;
let service: ServiceProcess;

beforeEach(async () => {
  database = await createTestDatabase();
  service = await startService({
    env: {
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      SHUTDOWN_DELAY: String(DELAY_MS / 1000),
    },
  });
});

afterEach(async () => {
  await service.stop();
  await database.drop();
});

interface Fate {
  /** The status, or the code of the error. */
  outcome: number | string;
  connection: string | undefined;
  isReused: boolean;
}

function fateOf(path: string, agent: Agent): Promise<Fate> {
  return new Promise((resolve) => {
    const outgoing = request(service.url + path, { agent });
    const fate = (outcome: number | string, connection?: string) =>
      resolve({ outcome, connection, isReused: outgoing.reusedSocket });
    outgoing.on('response', (incoming) => {
      incoming.on('error', (error) => fate(error.message));
      incoming.on('end', () => fate(incoming.statusCode ?? 0, incoming.headers.connection)).resume();
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => fate(error.code ?? error.message));
    outgoing.end();
  });
}

it('during SHUTDOWN_DELAY no request is rejected or reset, /ready is always 503, and responses close connections', async () => {
  const agents = Array.from({ length: 5 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const before = await Promise.all(agents.map((agent) => fateOf('/.well-known/jwks.json', agent)));
  expect(before.map(({ outcome }) => outcome)).toEqual(Array(5).fill(200));
  service.signal('SIGTERM');
  await waitUntil(async () => (await fateOf('/ready', new Agent())).outcome === 503, {
    what: '503 of /ready',
  });
  const fates: Fate[] = [];
  const probes: Fate[] = [];
  const end = performance.now() + DELAY_MS - 1_000;
  const client = async (agent: Agent) => {
    while (performance.now() < end) {
      fates.push(await fateOf('/.well-known/jwks.json', agent));
      await sleep(PACE_MS);
    }
  };
  const probe = async () => {
    while (performance.now() < end) {
      probes.push(await fateOf('/ready', new Agent()));
      await sleep(200);
    }
  };
  await Promise.all([...agents.map(client), probe()]);
  for (const agent of agents) agent.destroy();
  expect(new Set(fates.map(({ outcome }) => outcome))).toEqual(new Set([200]));
  expect(new Set(fates.map(({ connection }) => connection))).toEqual(new Set(['close']));
  // The connections from before were left after one more response.
  expect(fates.filter(({ isReused }) => isReused).length).toBeLessThanOrEqual(agents.length);
  expect(probes.length).toBeGreaterThan(4);
  expect(new Set(probes.map(({ outcome }) => outcome))).toEqual(new Set([503]));
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

it('after SHUTDOWN_DELAY the service stops, although requests keep coming', async () => {
  const startedAt = performance.now();
  service.signal('SIGTERM');
  const running = new AbortController();
  void service.exited.then(() => running.abort());
  while (!running.signal.aborted) {
    await fateOf('/health', new Agent());
    await sleep(PACE_MS);
  }
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedAt).toBeGreaterThan(DELAY_MS);
});

it('a second signal during SHUTDOWN_DELAY stops the service with 1 at once', async () => {
  const startedAt = performance.now();
  const client = new ApiClient(service.url);
  service.signal('SIGTERM');
  await waitUntil(async () => (await client.send('GET', '/ready')).status === 503, { what: '503 of /ready' });
  client.close();
  service.signal('SIGTERM');
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(performance.now() - startedAt).toBeLessThan(DELAY_MS);
});
