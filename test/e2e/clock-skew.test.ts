import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Auth } from '@latchkey/core';
import { openAuth } from '../../packages/core/src/compose/open-auth.js';
import { openDatabase } from '../../packages/core/src/compose/open-database.js';
import { type Clock, systemClock } from '../../packages/core/src/kernel/clock.js';
import { ValueSigner } from '../../packages/core/src/kernel/signed-value.js';
import { Ceremonies } from '../../packages/core/src/passkeys/ceremonies.js';
import { hintKey } from '../../packages/core/src/sessions/revocation-markers.js';
import { SessionCache } from '../../packages/core/src/sessions/session-cache.js';
import { readSettings } from '../../packages/core/src/settings/read-settings.js';
import { DatabaseClock } from '../../packages/core/src/storage/database-clock.js';
import { Database } from '../../packages/core/src/storage/database.js';
import { MemoryEphemeralStore } from '../../packages/core/src/storage/ephemeral-store.memory.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

const OPERATOR = { kind: 'operator', name: 'tests' } as const;
const PASSWORD = 'a long walk home';
const COMPANY = randomUUID();

/** A clock that is ahead of the database's, or behind it. */
const clockAhead = (minutes: number): Clock => ({
  now: () => Date.now() + minutes * 60_000,
  elapsed: () => performance.now(),
});

describeWithRedis('replicas whose clocks differ by ten minutes', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let punctual: Auth;
  let ahead: Auth;
  const log: string[] = [];
  const logger = {
    ...{ debug: () => undefined, info: () => undefined, error: () => undefined },
    warn: (_fields: object, message: string) => void log.push(message),
  };

  const start = (minutes: number): Promise<Auth> => {
    const settings = readSettings({
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    });
    return openAuth(settings, openDatabase(settings, logger), { logger, clock: clockAhead(minutes) });
  };

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    [punctual, ahead] = await Promise.all([start(0), start(10)]);
  });
  afterAll(async () => {
    await Promise.all([punctual.close(), ahead.close()]);
    await redis.stop();
    await database.drop();
  });

  const signIn = async (auth: Auth): Promise<string> => {
    const email = `${randomUUID()}@example.com`;
    const { id } = await auth.admin.users.create(OPERATOR, { email, password: PASSWORD });
    await auth.memberships.upsertCompany(OPERATOR, COMPANY, { userId: id });
    const result = await auth.login.withPassword({ email, password: PASSWORD });
    return 'accessToken' in result ? result.accessToken : '';
  };

  it('replicas with different clocks exchange hand-off codes of each other', async () => {
    for (const [maker, reader] of [
      [punctual, ahead],
      [ahead, punctual],
    ] as const) {
      const caller = await maker.authenticator.authenticate(await signIn(maker));
      const { code } = await maker.handoff.create(caller, COMPANY);
      expect((await reader.handoff.exchange(code)).organizationId).toBe(COMPANY);
    }
  });

  it('replicas with different clocks refuse access tokens that are dated ahead, and log that once for many', async () => {
    const token = await signIn(ahead);
    for (let use = 0; use < 3; use++) {
      await expect(punctual.authenticator.authenticate(token)).rejects.toMatchObject({
        code: 'unauthorized',
      });
    }
    expect(log.filter((message) => message.includes('dated ahead of the clock'))).toHaveLength(1);
  });

  describeStoredValues();
});

/** Tests below HTTP: falsified stores keep values longer than requested. */
function describeStoredValues(): void {
  const key = Buffer.alloc(32, 'k');
  let test: TestDatabase;
  let database: Database;
  const sharedClock = (minutes: number) => new DatabaseClock(database, clockAhead(minutes));

  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database({ url: test.url, poolMax: 2, preparedStatements: true });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  it('replicas with different clocks finish passkey ceremonies of each other', async () => {
    const store = new MemoryEphemeralStore({ clock: systemClock });
    const [one, other] = [0, 10].map(
      (minutes) => new Ceremonies(store, new ValueSigner([key], sharedClock(minutes))),
    );
    for (const [begins, ends] of [
      [one, other],
      [other, one],
    ]) {
      const challenge = randomUUID();
      await begins?.begin('login', challenge, null);
      expect(await ends?.take('login', challenge)).toBeNull();
    }
  });

  it('a replica lets no hint outlive its lifetime, although the store keeps it', async () => {
    const store = new MemoryEphemeralStore({ clock: systemClock });
    const cacheOf = (minutes: number, ttl: number) =>
      new SessionCache(store, { ttl, key, clock: sharedClock(minutes) });
    const hint = { userId: randomUUID(), globalRole: 'NONE' as const, tokenVersion: 1 };
    await cacheOf(10, 60).remember('session', hint);
    expect(await cacheOf(0, 60).find('session')).toEqual(hint);
    await cacheOf(10, 0.3).remember('session', hint);
    const kept = (await store.get(hintKey('session'))) ?? '';
    await store.set(hintKey('session'), kept, 3600);
    const forgotten = async () => (await cacheOf(-10, 60).find('session')) === undefined;
    await waitUntil(forgotten, { what: 'the end of the hint' });
    expect(await store.get(hintKey('session'))).toBe(kept);
  });

  it('a replica signs no value that outlives its lifetime on a replica that is behind', async () => {
    const signed = await new ValueSigner([key], sharedClock(10)).sign('place', { a: 1 }, 0);
    const behind = new ValueSigner([key], sharedClock(-10));
    // Each replica knows the time to the length of a round trip.
    const expired = async () => (await behind.verify('place', signed)) === undefined;
    await waitUntil(expired, { what: 'the end of the value' });
  });
}
