import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithRedis, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { EphemeralStore } from './ephemeral-store.js';
import { MemoryEphemeralStore } from './ephemeral-store.memory.js';
import { RedisEphemeralStore } from './ephemeral-store.redis.js';
import { openEphemeralStore } from './open-ephemeral-store.js';

/** Tests the contract of every store. Each test uses keys of its own. */
function itKeepsTheContract(current: () => EphemeralStore): void {
  const untilForgotten = (key: string) =>
    waitUntil(async () => (await current().get(key)) === undefined, { what: 'the value to be forgotten' });

  it('the store returns the value of a key, and undefined for an unknown key', async () => {
    const key = randomUUID();
    expect(await current().get(key)).toBeUndefined();
    await current().set(key, 'ä "value"\n', 60);
    expect(await current().get(key)).toBe('ä "value"\n');
    await current().set(key, '', 60);
    expect(await current().get(key)).toBe('');
  });

  it('the store returns the values of many keys in the order of the keys', async () => {
    const [first, second, unknown] = [randomUUID(), randomUUID(), randomUUID()];
    await current().set(first, 'one', 60);
    await current().set(second, '', 60);
    expect(await current().getMany([second, unknown, first, second])).toEqual(['', undefined, 'one', '']);
  });

  it('the store forgets a value when its time to live is over', async () => {
    const key = randomUUID();
    await current().set(key, 'short', 1);
    expect(await current().get(key)).toBe('short');
    await untilForgotten(key);
    expect(await current().getAndDelete(key)).toBeUndefined();
  });

  it('an announcement reaches every subscriber of its channel, until the subscription ends', async () => {
    const [channel, other] = [randomUUID(), randomUUID()];
    const counts = [0, 0, 0];
    const heard = (index: number) => () => void (counts[index] = (counts[index] ?? 0) + 1);
    const ends = [
      current().subscribe(channel, heard(0)),
      current().subscribe(channel, heard(1)),
      current().subscribe(other, heard(2)),
    ];
    // A subscription takes effect after a moment, and announcements may be lost until then.
    const areHeard = async () => {
      current().publish(channel);
      await sleep(10);
      return counts[0] !== 0 && counts[1] !== 0;
    };
    await waitUntil(areHeard, { what: 'an announcement' });
    expect(counts[2]).toBe(0);
    ends[0]?.();
    const ended = counts[0];
    const before = counts[1];
    current().publish(channel);
    await waitUntil(() => counts[1] !== before, { what: 'another announcement' });
    expect(counts[0]).toBe(ended);
    for (const end of ends) end();
  });

  it('each set starts the time to live anew', async () => {
    const key = randomUUID();
    await current().set(key, 'first', 0.05);
    await current().set(key, 'second', 60);
    await sleep(80);
    expect(await current().get(key)).toBe('second');
  });

  it('exactly one of many callers sets an absent key', async () => {
    const key = randomUUID();
    const won = await Promise.all(
      Array.from({ length: 20 }, (_, index) => current().setIfAbsent(key, String(index), 60)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await current().get(key)).toBe(String(won.indexOf(true)));
  });

  it('an expired key counts as absent', async () => {
    const key = randomUUID();
    await current().setIfAbsent(key, 'first', 1);
    expect(await current().setIfAbsent(key, 'second', 60)).toBe(false);
    await untilForgotten(key);
    expect(await current().setIfAbsent(key, 'third', 60)).toBe(true);
  });

  it('exactly one of many callers replaces the value that all of them have read', async () => {
    const key = randomUUID();
    for (const expected of [undefined, 'before']) {
      const replaced = await Promise.all(
        Array.from({ length: 20 }, (_, index) => current().compareAndSet(key, expected, String(index), 60)),
      );
      expect(replaced.filter(Boolean)).toHaveLength(1);
      expect(await current().get(key)).toBe(String(replaced.indexOf(true)));
      await current().set(key, 'before', 60);
    }
  });

  it('compareAndSet does not replace an unexpected value', async () => {
    const key = randomUUID();
    expect(await current().compareAndSet(key, '', 'value', 60)).toBe(false);
    await current().set(key, '', 60);
    expect(await current().compareAndSet(key, undefined, 'value', 60)).toBe(false);
    expect(await current().compareAndSet(key, 'other', 'value', 60)).toBe(false);
    expect(await current().compareAndSet(key, '', 'value', 60)).toBe(true);
    expect(await current().get(key)).toBe('value');
  });

  it('compareAndSet starts the time to live anew and counts an expired value as absent', async () => {
    const key = randomUUID();
    await current().set(key, 'first', 60);
    await current().compareAndSet(key, 'first', 'second', 0.05);
    await sleep(80);
    expect(await current().compareAndSet(key, 'second', 'third', 60)).toBe(false);
    expect(await current().compareAndSet(key, undefined, 'third', 60)).toBe(true);
  });

  it('getAndDelete returns the value to exactly one of many callers', async () => {
    const key = randomUUID();
    await current().set(key, 'grant', 60);
    const taken = await Promise.all(Array.from({ length: 20 }, () => current().getAndDelete(key)));
    expect(taken.filter((value) => value === 'grant')).toHaveLength(1);
    expect(taken.filter((value) => value === undefined)).toHaveLength(19);
  });

  it('a counter counts every one of many increments', async () => {
    const key = randomUUID();
    const sums = await Promise.all(Array.from({ length: 20 }, () => current().increment(key, 60)));
    expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await current().get(key)).toBe('20');
  });

  it('a counter expires by the time to live of its first increment', async () => {
    const key = randomUUID();
    await current().increment(key, 1);
    await sleep(300);
    expect(await current().increment(key, 60)).toBe(2);
    await untilForgotten(key);
    expect(await current().increment(key, 60)).toBe(1);
  });

  it('incrementing a text fails', async () => {
    const key = randomUUID();
    await current().set(key, 'text', 60);
    await expect(current().increment(key, 60)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await current().get(key)).toBe('text');
  });

  it('delete removes several keys, known or not', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await current().set(one, '1', 60);
    await current().set(two, '2', 60);
    await current().delete(one, two, randomUUID());
    await current().delete();
    expect(await current().get(one)).toBeUndefined();
    expect(await current().get(two)).toBeUndefined();
  });

  it('the store rejects an invalid time to live', async () => {
    for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(current().set('key', 'value', ttl)).rejects.toThrow(TypeError);
      await expect(current().setIfAbsent('key', 'value', ttl)).rejects.toThrow(TypeError);
      await expect(current().compareAndSet('key', undefined, 'value', ttl)).rejects.toThrow(TypeError);
      await expect(current().increment('key', ttl)).rejects.toThrow(TypeError);
    }
  });

  it('the store answers a ping', async () => {
    await expect(current().ping(1_000)).resolves.toBeUndefined();
  });
}

describe('the store in memory', async () => {
  const store = await openEphemeralStore({
    url: undefined,
    keyPrefix: 'test:',
    logger: silentLogger,
    observer: unobserved,
    clock: systemClock,
  });
  afterAll(() => store.close());

  itKeepsTheContract(() => store);

  it('the store in memory is opened without a URL', () => {
    expect(store.kind).toBe('memory');
  });

  it('the store in memory drops the oldest entries when it is full', async () => {
    const small = new MemoryEphemeralStore({ maxEntries: 3, clock: systemClock });
    for (const key of ['a', 'b', 'c']) await small.set(key, key, 60);
    await small.set('a', 'again', 60);
    await small.set('d', 'd', 60);
    expect(small.size).toBe(3);
    expect(await small.get('b')).toBeUndefined();
    expect(await small.get('a')).toBe('again');
    await small.close();
  });
});

describeWithRedis('the store in Redis', () => {
  let redis: TestRedis;
  let store: EphemeralStore;

  beforeAll(async () => {
    redis = await startRedis();
    store = await openEphemeralStore({
      url: redis.url,
      keyPrefix: 'test:',
      logger: silentLogger,
      observer: unobserved,
      clock: systemClock,
    });
  });
  afterAll(async () => {
    await store.close();
    await redis.stop();
  });

  itKeepsTheContract(() => store);

  it('the store in Redis is opened by a URL', () => {
    expect(store.kind).toBe('redis');
  });

  it('the store in Redis puts its prefix before every key and hides it from its callers', async () => {
    const [prefixed, bare] = ['test:', ''].map(
      (keyPrefix) =>
        new RedisEphemeralStore({ url: redis.url, keyPrefix, logger: silentLogger, observer: unobserved }),
    );
    await prefixed!.increment('counter', 60);
    await prefixed!.client.set('limiter', '1');
    expect(await bare!.get('test:counter')).toBe('1');
    expect(await bare!.get('test:limiter')).toBe('1');
    await Promise.all([prefixed!.close(), bare!.close()]);
  });
});
