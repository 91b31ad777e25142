import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { systemClock, type Clock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { Database } from '../storage/database.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { RevocationPoller } from './revocation-poller.js';
import { RevocationRepository } from './revocation-repository.js';
import { REVOCATIONS_CHANNEL, type RevocationPage } from './revocation.js';

let testDatabase: TestDatabase;
let database: Database;
let store: MemoryEphemeralStore;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 3, preparedStatements: true });
  store = new MemoryEphemeralStore({ clock: systemClock });
});
afterAll(async () => {
  await store.close();
  await database.close();
  await testDatabase.drop();
});

const revoke = (sessions: number): Promise<unknown> =>
  database.run((knex) =>
    knex('revocations').insert(Array.from({ length: sessions }, () => ({ session_id: randomUUID() }))),
  );

interface Listening {
  clock?: Clock;
  /** Default: the one of this file. */
  store?: MemoryEphemeralStore;
  onHeartbeat?: () => void;
}

/** A poller with a listener that has joined. */
async function listening({
  clock = systemClock,
  store: heard = store,
  onHeartbeat,
}: Listening = {}): Promise<{ poller: RevocationPoller; pages: RevocationPage[]; ends: string[] }> {
  const revocations = new RevocationRepository(database);
  const poller = new RevocationPoller({ revocations, store: heard, clock, logger: silentLogger });
  const pages: RevocationPage[] = [];
  const ends: string[] = [];
  poller.join({
    onPage: (page) => pages.push(page),
    onEnd: (reason) => ends.push(reason),
    ...(onHeartbeat && { onHeartbeat }),
  });
  onTestFinished(() => poller.close());
  await poller.ready();
  return { poller, pages, ends };
}

it('an announcement is faster than the interval', async () => {
  // Two pollers with the same interval, of which one hears announcements.
  const deaf = await listening({ store: new MemoryEphemeralStore({ clock: systemClock }) });
  const { pages } = await listening();
  const times = { announced: [] as number[], deaf: [] as number[] };
  for (let round = 1; round <= 20; round += 1) {
    await revoke(1);
    const start = performance.now();
    const since = () => performance.now() - start;
    store.publish(REVOCATIONS_CHANNEL);
    await Promise.all([
      waitUntil(() => pages.length === round, { what: 'a page' }).then(() => times.announced.push(since())),
      waitUntil(() => deaf.pages.length === round, { what: 'a late page' }).then(() =>
        times.deaf.push(since()),
      ),
    ]);
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[10] ?? NaN;
  // By the interval alone, the median is 100 ms.
  expect(median(times.announced)).toBeLessThan(0.6 * median(times.deaf));
});

it('a listener has a heartbeat every five seconds while the feed is read', async () => {
  const clock = { seconds: 0, now: () => Date.now(), elapsed: () => clock.seconds * 1000 };
  const beats: number[] = [];
  const { poller } = await listening({ clock, onHeartbeat: () => beats.push(clock.seconds) });
  while (beats.length < 2) {
    // The feed is read before the clock moves on, so that it stays fresh; the tick after that is sure to see the time.
    clock.seconds += 1.25;
    const before = poller.counts.polls.success;
    await waitUntil(() => poller.counts.polls.success >= before + 2, { what: 'further reads' });
  }
  const [first = NaN, second = NaN] = beats;
  expect(first).toBeLessThanOrEqual(5);
  expect(second - first).toBe(5);
});

it('many announcements cause few reads', async () => {
  const { poller, pages } = await listening();
  const before = poller.counts.polls.success;
  const start = performance.now();
  await revoke(1);
  for (let count = 0; count < 1_000; count += 1) store.publish(REVOCATIONS_CHANNEL);
  await waitUntil(() => pages.length > 0, { what: 'a page' });
  const elapsed = performance.now() - start;
  expect(poller.counts.polls.success - before).toBeLessThanOrEqual(2 + elapsed / 20);
});

it('a large revocation is passed on in pages, of which the last moves the cursor', async () => {
  const { poller, pages } = await listening();
  const before = poller.cursor;
  await revoke(9_000);
  await revoke(2_000);
  const entries = () => pages.flatMap((page) => page.entries);
  await waitUntil(() => entries().length >= 11_000, { what: 'all entries' });
  expect(entries()).toHaveLength(11_000);
  const [first] = pages;
  expect(first?.entries.length).toBeLessThanOrEqual(5_000);
  expect(first?.cursor).not.toBe(pages.at(-1)?.cursor);
  expect(before).toBeDefined();
});

it('a database that was replaced by another ends the feed of every listener', async () => {
  const { poller, ends } = await listening();
  // As after a restore from a dump: the same rows in another table.
  await database.run((knex) =>
    knex.raw(`ALTER TABLE revocations RENAME TO old_revocations;
      CREATE TABLE revocations (LIKE old_revocations INCLUDING ALL)`),
  );
  await waitUntil(() => ends.length > 0, { what: 'the end' });
  expect(ends).toEqual(['gone']);
  expect(poller.counts.listeners).toBe(0);
});

it('the heartbeats of many listeners are spread over five seconds, also after an outage', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const clock = { now: () => Date.now(), elapsed: () => Date.now() };
  const revocations = new RevocationRepository(database);
  const position = { origin: 'a'.repeat(16), snapshot: '5:5:', readAt: 1 };
  let isLost = false;
  const read = () =>
    isLost ? Promise.reject(new Error('lost')) : Promise.resolve({ position, entries: [] });
  vi.spyOn(revocations, 'position').mockResolvedValue(position);
  vi.spyOn(revocations, 'readSince').mockImplementation(read);
  const poller = new RevocationPoller({ revocations, store, clock, logger: silentLogger });
  onTestFinished(() => poller.close());
  const beats: number[] = [];
  for (let joined = 0; joined < 100; joined += 1) {
    poller.join({ onPage: () => undefined, onHeartbeat: () => beats.push(joined), onEnd: () => undefined });
  }
  const next = async (ms: number): Promise<number[]> => {
    beats.length = 0;
    await vi.advanceTimersByTimeAsync(ms);
    return [...beats];
  };
  await next(5_000);
  for (let tick = 0; tick < 25; tick += 1) expect((await next(200)).length).toBe(4);
  expect(new Set(await next(5_000)).size).toBe(100);
  isLost = true;
  await next(2_200);
  expect(await next(6_000)).toEqual([]);
  isLost = false;
  await next(400);
  for (let tick = 0; tick < 25; tick += 1) expect((await next(200)).length).toBe(4);
});
