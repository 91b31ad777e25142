import { Writable } from 'node:stream';
import pino from 'pino';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { AuthError, createAuth, readSettings, type Auth, type Settings } from '@latchkey/core';
import { readSomeSettings, readTokenSettings } from '@latchkey/core/settings';
import { createAuthRouter, createGuards } from '@latchkey/express-adapter';
import { createAdministration } from '@latchkey/operations';
import { RENDERINGS } from '../support/every-rendering.js';
import { plantedSecrets, type PlantedSecret } from '../support/planted-secrets.js';
import { startRedis } from '../support/redis.js';
import { createTestDatabase } from '../support/test-database.js';

const planted = plantedSecrets();
const WAYS = Object.keys(RENDERINGS);
const environment = (secrets: readonly PlantedSecret[]) => ({
  APP_ENV: 'test',
  MAIL_FROM: 'auth@example.com',
  CORE_BASE_URL: 'http://127.0.0.1:1',
  ...Object.fromEntries(secrets.map(({ name, text }) => [name, text])),
});

let settings: Settings;
let auth: Auth;

beforeAll(async () => {
  settings = readSettings(environment(planted));
  const [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  const addresses: Record<string, string> = {
    DATABASE_URL: database.url,
    FINANCE_DATABASE_URL: database.url,
    REDIS_URL: redis.url,
  };
  // The same passwords with available servers: connections, pools and queues are open.
  const reachable = planted.map((each) => {
    const address = addresses[each.name];
    if (address === undefined) return each;
    const url = new URL(address);
    url.password = each.marker;
    return { ...each, text: url.href };
  });
  const opened = await createAuth(readSettings(environment(reachable)));
  await opened.health.ready();
  auth = opened;
  return async () => {
    await opened.close();
    await redis.stop();
    await database.drop();
  };
});

function expectHidden(text: string): void {
  const seen = planted.filter(({ marker }) => text.includes(marker)).map(({ name }) => name);
  expect(seen).toEqual([]);
}

it('every secret setting has a marker of its own, and each way of printing shows what is not hidden', () => {
  expect(planted.length).toBeGreaterThan(8);
  expect(new Set(planted.map(({ marker }) => marker)).size).toBe(planted.length);
  const careless = Object.fromEntries(planted.map(({ name, text }) => [name, text]));
  for (const [way, render] of Object.entries(RENDERINGS)) {
    if (way === 'a template') continue;
    const shown = render(careless).replaceAll('\\n', '\n');
    for (const { name, marker } of planted) expect(shown.includes(marker), `${way}: ${name}`).toBe(true);
  }
});

it('each secret is readable by its own name as it was set', () => {
  expect(settings.database.url?.reveal()).toBe(planted.find(({ name }) => name === 'DATABASE_URL')?.text);
  expect(settings.tokens.signingKeyPem?.reveal()).toContain('PRIVATE KEY');
});

it.each(WAYS)('settings hide every secret from %s', (way) => {
  expectHidden(RENDERINGS[way]?.(settings) ?? '');
  expectHidden(RENDERINGS[way]?.(readTokenSettings(environment(planted))) ?? '');
  const names = planted.map(({ name }) => name);
  expectHidden(RENDERINGS[way]?.(readSomeSettings(names, environment(planted))) ?? '');
});

it.each(WAYS)('auth, its router and its guards hide every secret from %s', (way) => {
  const guards = createGuards(auth);
  for (const each of [auth, createAuthRouter(auth), guards, guards.requireAuth]) {
    expectHidden(RENDERINGS[way]?.(each) ?? '');
  }
});

it.each(WAYS)('administration hides every secret from %s', async (way) => {
  const administration = await createAdministration(auth.settings);
  onTestFinished(() => administration.close());
  expectHidden(RENDERINGS[way]?.(administration) ?? '');
});

it('neither errors nor logs of servers that are unavailable or refuse a password hold a secret', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = pino({ level: 'trace' }, stream);
  const error: unknown = await createAuth(settings, { logger, migrate: false }).catch(
    (reason: unknown) => reason,
  );
  expect(AuthError.is(error) && error.code).toBe('service_unavailable');
  const away = auth.settings.database.url?.reveal() ?? '';
  // PostgreSQL is available; Redis, mail server and core service are not.
  const half = environment(
    planted.map((each) => (each.name === 'DATABASE_URL' ? { ...each, text: away } : each)),
  );
  const opened = await createAuth(readSettings({ ...half, FINANCE_DATABASE_URL: undefined }), { logger });
  onTestFinished(() => opened.close());
  const unready: unknown = await opened.health.ready().catch((reason: unknown) => reason);
  expect(AuthError.is(unready) && unready.code).toBe('not_ready');
  for (const render of Object.values(RENDERINGS)) {
    expectHidden(render(error));
    expectHidden(render(unready));
    expectHidden(render(AuthError.unavailable('The export is unavailable.', error)));
  }
  expectHidden(lines.join(''));
});

it('neither errors nor logs hold the password that Redis refused', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { Redis } = await import('ioredis');
  const client = new Redis(redis.url);
  await client.config('SET', 'requirepass', 'another-password');
  client.disconnect();
  const url = new URL(redis.url);
  const secret = planted.find(({ name }) => name === 'REDIS_URL');
  url.password = secret?.marker ?? '';
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const wrong = { ...environment(planted), DATABASE_URL: database.url, REDIS_URL: url.href };
  const opened = await createAuth(readSettings({ ...wrong, FINANCE_DATABASE_URL: undefined }), { logger });
  onTestFinished(() => opened.close());
  const refused: unknown = await opened.handoff.exchange('x'.repeat(43)).catch((reason: unknown) => reason);
  expect(AuthError.is(refused)).toBe(true);
  for (const render of Object.values(RENDERINGS)) expectHidden(render(refused));
  expectHidden(lines.join(''));
});
