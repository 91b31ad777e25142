import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '@latchkey/core';
import { startupFacts, type StartupParts } from '../../packages/server/src/startup-facts.js';
import { startupSummary } from '../../packages/server/src/startup-summary.js';
import { serviceForThisTest } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';

/** Returns the text for a terminal, and the line of the log. */
const shown = (parts: StartupParts): string[] => {
  const facts = startupFacts(parts);
  return [startupSummary(facts), JSON.stringify(facts)];
};

it('a start logs the address of the database without its query, which may hold a password', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const url = new URL(database.url);
  url.searchParams.set('password', 'hunter2-in-the-query');
  const service = await serviceForThisTest({ databaseUrl: url.href });
  expect(service.log()).toContain(`//${url.host}${url.pathname}"`);
  expect(service.log()).not.toContain('hunter2');
});

it('the summary of a start shows no user, password or query of any address', async () => {
  const { auth } = await serviceForThisTest();
  const settings = {
    ...auth.settings,
    database: {
      ...auth.settings.database,
      url: new Secret('postgres://u:hunter2-db@db:5432/auth?password=hunter2@query#x'),
    },
    redis: {
      ...auth.settings.redis,
      url: new Secret('rediss://:hunter2-a@r1:6379,redis://u:hunter2@2@r2/1?password=hunter2'),
    },
  };
  const facts = { ...auth.facts, storeKind: 'redis' as const };
  const parts = { auth: { ...auth, settings, facts }, embedded: undefined, keyFile: undefined, port: 1 };
  for (const text of shown(parts)) {
    expect(text).not.toContain('hunter2');
    expect(text).toMatch(/postgres:\/\/db:5432\/auth["\n]/);
    expect(text).toMatch(/rediss:\/\/r1:6379,redis:\/\/r2\/1["\n]/);
  }
});

it('the password of the embedded database is not logged', async () => {
  const { auth } = await serviceForThisTest();
  const embedded = {
    url: 'postgres://latchkey:hunter2-embedded@127.0.0.1:5499/postgres',
    port: 5499,
    stop: () => Promise.resolve(),
  };
  for (const text of shown({ auth, embedded, keyFile: undefined, port: 1 })) {
    expect(text).toMatch(/postgres:\/\/127\.0\.0\.1:5499\/postgres["\n]/);
    expect(text).not.toContain('hunter2');
  }
});
