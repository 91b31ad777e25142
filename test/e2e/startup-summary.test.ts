import { expect, it } from 'vitest';
import { startupFacts } from '../../packages/server/src/startup-facts.js';
import { startupSummary } from '../../packages/server/src/startup-summary.js';
import { ON_THE_SERVER } from '../support/binding.js';
import { serviceForThisTest } from '../support/service.js';

it('a start that listens on every interface in development logs that others can reach it; production does not', async () => {
  const { auth } = await serviceForThisTest();
  const facts = startupFacts({ auth, embedded: undefined, keyFile: undefined, port: 4000 });
  const hint = 'others on your network can reach it (HOST=127.0.0.1 to prevent that)';
  expect(startupSummary({ ...facts, host: '0.0.0.0' })).toContain(hint);
  expect(startupSummary({ ...facts, host: '127.0.0.1' })).not.toContain(hint);
  expect(startupSummary({ ...facts, host: '0.0.0.0', environment: 'production' })).not.toContain(hint);
});

it('a start names the migrations of a newer version, and has no line about the schema otherwise', async () => {
  const { auth } = await serviceForThisTest();
  const facts = startupFacts({ auth, embedded: undefined, keyFile: undefined, port: 4000 });
  expect(startupSummary(facts)).not.toMatch(/^ +schema /m);
  const newer = startupSummary({ ...facts, newerMigrations: ['0040_nicknames.sql', '0041_pets.sql'] });
  expect(newer).toMatch(
    /^ {2}schema +newer than this version, which can run on it: 0040_nicknames\.sql, 0041_pets\.sql$/m,
  );
});

it('a start runs at most as many hashing threads as HASHING_THREADS says, and logs the number', async () => {
  const { auth } = await serviceForThisTest({ env: { HASHING_THREADS: '3' } });
  const facts = startupFacts({ auth, embedded: undefined, keyFile: undefined, port: 4000 });
  expect(facts.hashingThreads).toBe(3);
  expect(startupSummary(facts)).toMatch(/Argon2id by \S+, 3 threads \(HASHING_THREADS\)/);
});

it('a start outside production names the capabilities that are on only there, and not those that are set', async () => {
  const line = async (env: Record<string, string>): Promise<string | undefined> => {
    const { auth } = await serviceForThisTest({ env });
    const facts = startupFacts({ auth, embedded: undefined, keyFile: undefined, port: 4000 });
    return /^ {2}only here +(.*)$/m.exec(startupSummary(facts))?.[1];
  };
  expect(await line({ APP_ENV: 'development', WEBHOOKS: '' })).toBe(
    'API keys (API_KEYS), sign-in by mail (MAILED_SIGN_IN), deletion of the own account (ACCOUNT_DELETION), sign-in of staff as users (STAFF_ACTING), pictures of users (PROFILE_PICTURES), webhooks (WEBHOOKS); ' +
      'off in production unless set',
  );
  expect(
    await line({
      APP_ENV: 'development',
      AUTH_WEB_COOKIE_MODE: 'true',
      AUTH_BASE_URL: 'https://id.example.com',
    }),
  ).toContain('trusted devices (TRUSTED_DEVICE_DAYS)');
  const set = {
    MAILED_SIGN_IN: 'off',
    ACCOUNT_DELETION: 'off',
    STAFF_ACTING: 'off',
    PROFILE_PICTURES: 'off',
    WEBHOOKS: 'platform',
  };
  expect(await line({ APP_ENV: 'development', ...set })).toBe(
    'API keys (API_KEYS); off in production unless set',
  );
  expect(await line({ APP_ENV: 'development', ...set, API_KEYS: 'off' })).toBeUndefined();
});

it.runIf(ON_THE_SERVER)(
  'the page of a development service names the capabilities that are on only there',
  async () => {
    const service = await serviceForThisTest({ env: { APP_ENV: 'development' } });
    const { text } = await service.client.send('GET', '/', { headers: { accept: 'text/html' } });
    expect(text).toContain('API keys (API_KEYS)');
  },
);
