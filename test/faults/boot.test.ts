import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { ApiClient } from '../support/api-client.js';
import { startPostgres } from '../support/postgres.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { launchService, startService, type ServiceProcess } from '../support/service-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

const environment = (env: Record<string, string>) => ({
  APP_ENV: 'test',
  JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
  LOG_LEVEL: 'info',
  ...env,
});

const ready = (url: string) => {
  const client = new ApiClient(url);
  return client.call('GET', '/ready').finally(() => client.close());
};

async function ended(service: ServiceProcess): Promise<void> {
  await service.stop();
}

const untilItTriesAgain = (service: ServiceProcess) =>
  waitUntil(() => service.output().includes('PostgreSQL is not reachable; retrying.'), {
    what: 'a line that says what is waited for',
  });

describeWithRedis('a start without Redis', () => {
  it('a service that starts without Redis is up but not ready, and ready once Redis is available', async () => {
    const database = await createTestDatabase();
    const redisPort = await freePort();
    const env = environment({ DATABASE_URL: database.url, REDIS_URL: `redis://127.0.0.1:${redisPort}` });
    const service = await startService({ env });
    onTestFinished(() => database.drop());
    onTestFinished(() => ended(service));
    expect(await ready(service.url)).toMatchObject({
      status: 503,
      code: 'not_ready',
      message: 'Not reachable: redis.',
    });
    const redis = await startRedis([], redisPort);
    onTestFinished(() => redis.stop());
    await waitUntil(async () => (await ready(service.url)).status === 200, {
      what: 'the service to be ready',
    });
  });
});

it('a start without PostgreSQL waits for it, and a signal ends the wait', async () => {
  const env = environment({ DATABASE_URL: `postgres://unknown@127.0.0.1:${await freePort()}/none` });
  const service = await launchService({ env });
  await untilItTriesAgain(service);
  service.signal('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

/** Takes a minute: LATCHKEY_LONG_TESTS=true npx vitest run test/faults/boot.test.ts */
it.runIf(process.env.LATCHKEY_LONG_TESTS === 'true')(
  'a start without PostgreSQL gives up after a minute',
  async () => {
    const env = environment({ DATABASE_URL: `postgres://unknown@127.0.0.1:${await freePort()}/none` });
    const start = performance.now();
    const service = await launchService({ env });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(performance.now() - start).toBeGreaterThan(59_000);
    expect(service.output()).toContain('The database is not available at the moment.');
  },
  150_000,
);

it('a start without PostgreSQL continues once PostgreSQL is up', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  await postgres.kill();
  const service = await launchService({ env: environment({ DATABASE_URL: postgres.url }) });
  onTestFinished(() => ended(service));
  await untilItTriesAgain(service);
  await postgres.restart();
  await waitUntil(() => service.output().includes('is ready'), {
    what: 'the service to be up',
  });
  expect((await ready(service.url)).status).toBe(200);
});
