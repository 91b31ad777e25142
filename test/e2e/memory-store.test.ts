import { describe, it, type TestContext } from 'vitest';
import { openConnection } from '../support/open-connection.js';
import { launchService, startService, type ServiceProcess } from '../support/service-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

type Test = Pick<TestContext, 'onTestFinished'>;

/** Production on one machine without Redis. */
async function environment({ onTestFinished }: Test): Promise<Record<string, string>> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return {
    APP_ENV: 'production',
    DATABASE_URL: database.url,
    REDIS_URL: 'memory:',
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    AUTH_BASE_URL: 'https://auth.example.com',
    AUTH_WEB_FORCE_HTTPS: 'off',
  };
}

async function started({ onTestFinished }: Test, env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService({ env });
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

// At the same time, each with a database of its own: they wait most of the time.
describe.concurrent('a service with the memory of its process for a store', () => {
  it('production runs without Redis when that is configured, and logs that', async (test) => {
    const service = await started(test, await environment(test));
    test.expect((await fetch(`${service.url}/ready`)).status).toBe(200);
    test.expect(service.output()).toMatch(/"redis":"in-process".*"defaults":\[\]/);
  });

  it('a second process on the same database is refused, and the first continues', async (test) => {
    const { expect } = test;
    const env = await environment(test);
    const first = await started(test, env);
    const second = await launchService({ env });
    test.onTestFinished(async () => {
      await second.stop();
    });
    expect((await second.exited).code).not.toBe(0);
    expect(second.output()).toMatch(/waiting 10 seconds at most/);
    expect(second.output()).toContain(
      `REDIS_URL=memory: serves one process per database, and process ${first.pid} on`,
    );
    expect((await fetch(`${first.url}/ready`)).status).toBe(200);
  });

  it('the next process need not wait for one that was stopped', async (test) => {
    const { expect } = test;
    const env = await environment(test);
    const first = await started(test, env);
    expect((await first.stop()).code).toBe(0);
    const next = await started(test, env);
    expect(next.output()).not.toContain('waiting');
  });

  it('the next process follows one that crashed within seconds', async (test) => {
    const { expect } = test;
    const env = await environment(test);
    const first = await started(test, env);
    first.signal('SIGKILL');
    await first.exited;
    // A loaded machine may need longer to start a process than the lease is valid.
    await setRenewal(env, "now() + interval '1 hour'");
    const next = await launchService({ env });
    test.onTestFinished(async () => {
      await next.stop();
    });
    await waitUntil(() => next.output().includes('waiting 10 seconds at most'), { what: 'a wait' });
    await setRenewal(env, "now() - interval '9 seconds'");
    const isReady = () =>
      fetch(`${next.url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isReady, { what: 'the next process' });
    expect((await next.stop()).code).toBe(0);
  });
});

/** Moves the time at which the lease was last renewed. */
async function setRenewal({ DATABASE_URL }: Record<string, string>, time: string): Promise<void> {
  const client = await openConnection(DATABASE_URL ?? '');
  await client.query(`UPDATE store_leases SET renewed_at = ${time}`);
  await client.end();
}
