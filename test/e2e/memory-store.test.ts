import { expect, it, onTestFinished } from 'vitest';
import { launchService, startService, type ServiceProcess } from '../support/service-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';

/** Production on one machine without Redis. */
async function environment(): Promise<Record<string, string>> {
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

async function started(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService({ env });
  onTestFinished(() => void service.stop());
  return service;
}

it('production runs without Redis when that is configured, and logs that', { timeout: 60_000 }, async () => {
  const service = await started(await environment());
  expect((await fetch(`${service.url}/ready`)).status).toBe(200);
  expect(service.output()).toMatch(/"redis":"in-process".*"defaults":\[\]/);
});

it(
  'a second process on the same database is refused, and the first continues',
  { timeout: 120_000 },
  async () => {
    const env = await environment();
    const first = await started(env);
    const second = await launchService({ env });
    onTestFinished(() => void second.stop());
    expect((await second.exited).code).not.toBe(0);
    expect(second.output()).toMatch(/waiting 10 seconds at most/);
    expect(second.output()).toContain(
      `REDIS_URL=memory: serves one process per database, and process ${first.pid} on`,
    );
    expect((await fetch(`${first.url}/ready`)).status).toBe(200);
  },
);

it('the next process need not wait for one that was stopped', { timeout: 90_000 }, async () => {
  const env = await environment();
  const first = await started(env);
  expect((await first.stop()).code).toBe(0);
  const next = await started(env);
  expect(next.output()).not.toContain('waiting');
});

it('the next process follows one that crashed within seconds', { timeout: 90_000 }, async () => {
  const env = await environment();
  const first = await started(env);
  first.signal('SIGKILL');
  await first.exited;
  const next = await started(env);
  expect(next.output()).toMatch(/waiting 10 seconds at most/);
  expect((await fetch(`${next.url}/ready`)).status).toBe(200);
});
