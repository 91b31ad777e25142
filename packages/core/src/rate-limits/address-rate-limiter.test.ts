import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWithRedis, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { AuthError } from '../kernel/auth-error.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { RedisEphemeralStore } from '../storage/ephemeral-store.redis.js';
import { AddressRateLimiter } from './address-rate-limiter.js';

const IP = '203.0.113.7';
const opened: EphemeralStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

function remember<T extends EphemeralStore>(store: T): T {
  opened.push(store);
  return store;
}

/** Returns the number of allowed requests among `count` consecutive ones. */
async function accepted(limiter: AddressRateLimiter, count: number, ip: string | null = IP): Promise<number> {
  let passed = 0;
  for (let request = 0; request < count; request += 1) if (!(await refusal(limiter, ip))) passed += 1;
  return passed;
}

async function refusal(limiter: AddressRateLimiter, ip: string | null = IP): Promise<AuthError | undefined> {
  try {
    await limiter.consume(ip);
    return undefined;
  } catch (error) {
    if (AuthError.is(error)) return error;
    throw error;
  }
}

function contract(openStore: () => EphemeralStore): void {
  const open = (limit: number, windowSeconds?: number) =>
    new AddressRateLimiter({
      store: remember(openStore()),
      counts: 'sign-in',
      limit,
      failMode: 'open',
      windowSeconds,
      observer: unobserved,
    });

  it('allows requests up to the limit and rejects the next one with the remaining seconds', async () => {
    const limiter = open(30);
    expect(await accepted(limiter, 30)).toBe(30);
    const error = await refusal(limiter);
    expect(error?.code).toBe('rate_limited');
    expect(error?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(error?.retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('applies to concurrent requests', async () => {
    const limiter = open(10);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => refusal(limiter)));
    expect(outcomes.filter((error) => error === undefined)).toHaveLength(10);
  });

  it('resets with the next window', async () => {
    const limiter = open(2, 3);
    expect(await accepted(limiter, 3)).toBe(2);
    const error = await refusal(limiter);
    expect(error?.retryAfterSeconds).toBeLessThanOrEqual(3);
    await sleep(3_050);
    expect(await accepted(limiter, 3)).toBe(2);
  });

  it('counts requests of different kinds separately', async () => {
    const store = remember(openStore());
    const rate = { store, limit: 2, failMode: 'open' } as const;
    const signIns = new AddressRateLimiter({
      observer: unobserved,
      ...rate,
      counts: 'sign-in',
    });
    const writes = new AddressRateLimiter({
      observer: unobserved,
      ...rate,
      counts: 'anonymous-write',
    });
    expect(await accepted(writes, 3)).toBe(2);
    expect(await accepted(signIns, 3)).toBe(2);
  });

  it('counts each address separately, a /64 network as one, and all invalid addresses together', async () => {
    const limiter = open(2);
    expect(await accepted(limiter, 3)).toBe(2);
    expect(await accepted(limiter, 1, '203.0.113.8')).toBe(1);
    expect(await accepted(limiter, 1, `::ffff:${IP}`)).toBe(0);
    expect(await accepted(limiter, 2, '2001:db8:1:2::1')).toBe(2);
    expect(await accepted(limiter, 1, '2001:db8:1:2:ffff::9')).toBe(0);
    expect(await accepted(limiter, 1, '2001:db8:1:3::1')).toBe(1);
    expect(await accepted(limiter, 1, null)).toBe(1);
    expect(await accepted(limiter, 1, 'nonsense')).toBe(1);
    expect(await accepted(limiter, 1, 'other nonsense')).toBe(0);
  });
}

describe('a login limit in this process', () => {
  contract(() => new MemoryEphemeralStore({ clock: systemClock }));

  it.each([0, -1, 1.5, Number.NaN])('cannot be %d', (limit) => {
    const store = remember(new MemoryEphemeralStore({ clock: systemClock }));
    expect(
      () =>
        new AddressRateLimiter({ store, counts: 'sign-in', limit, failMode: 'open', observer: unobserved }),
    ).toThrow(TypeError);
  });
});

describeWithRedis('a login limit in Redis', () => {
  let redis: TestRedis;
  let run = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const openStore = (keyPrefix: string, url = redis.url) =>
    remember(new RedisEphemeralStore({ url, keyPrefix, logger: silentLogger, observer: unobserved }));
  const freshPrefix = () => `latchkey-${(run += 1)}:`;
  const open = (keyPrefix: string, failMode: 'open' | 'closed' = 'open', url = redis.url) =>
    new AddressRateLimiter({
      store: openStore(keyPrefix, url),
      counts: 'sign-in',
      limit: 5,
      failMode,
      observer: unobserved,
    });

  contract(() => openStore(freshPrefix()));

  it('is shared by all processes', async () => {
    const prefix = freshPrefix();
    const [one, two] = [open(prefix), open(prefix)];
    expect(await accepted(one, 3)).toBe(3);
    expect(await accepted(two, 3)).toBe(2);
    expect((await refusal(one))?.code).toBe('rate_limited');
  });

  it('writes short keys with the configured prefix and an expiry', async () => {
    const prefix = freshPrefix();
    const limiter = open(prefix);
    await accepted(limiter, 1, 'x'.repeat(10_000));
    await accepted(limiter, 1);
    const store = openStore('');
    const keys = await store.execute((client) => client.keys(`${prefix}*`));
    expect(keys.sort()).toEqual([`${prefix}login-rate:${IP}`, `${prefix}login-rate:unknown`]);
    for (const key of keys) expect(await store.execute((client) => client.pttl(key))).toBeGreaterThan(0);
  });

  it('applies in each process when Redis is flushed or its count is changed', async () => {
    const prefix = freshPrefix();
    const limiter = open(prefix);
    const store = openStore(prefix);
    expect(await accepted(limiter, 3)).toBe(3);
    await store.execute((client) => client.flushall());
    expect(await accepted(limiter, 1)).toBe(1);
    await store.set(`login-rate:${IP}`, '-1000', 60);
    expect(await accepted(limiter, 4)).toBe(1);
  });

  it('ends the window of a process that joins late together with the shared one', async () => {
    const prefix = freshPrefix();
    const rate = { counts: 'sign-in', limit: 2, failMode: 'open', windowSeconds: 6 } as const;
    const one = new AddressRateLimiter({
      observer: unobserved,
      ...rate,
      store: openStore(prefix),
    });
    const two = new AddressRateLimiter({
      observer: unobserved,
      ...rate,
      store: openStore(prefix),
    });
    await accepted(one, 1);
    await sleep(3_000);
    expect(await accepted(two, 2)).toBe(1);
    await sleep(3_100);
    expect(await accepted(two, 2)).toBe(2);
  });

  it('goes on per process when Redis dies, knowing what it let through before', async () => {
    const own = await startRedis();
    const limiter = open(freshPrefix(), 'open', own.url);
    expect(await accepted(limiter, 3)).toBe(3);
    own.kill();
    expect(await accepted(limiter, 4)).toBe(2);
    expect((await refusal(limiter))?.code).toBe('rate_limited');
  });

  it('responds with 503 when Redis dies and the fail mode is closed', async () => {
    const own = await startRedis();
    const limiter = open(freshPrefix(), 'closed', own.url);
    expect(await accepted(limiter, 1)).toBe(1);
    own.kill();
    expect((await refusal(limiter))?.code).toBe('service_unavailable');
  });

  it('does not wait for a Redis that hangs', async () => {
    const [onlyOpen, onlyClosed] = [open(freshPrefix(), 'open'), open(freshPrefix(), 'closed')];
    expect([await accepted(onlyOpen, 1), await accepted(onlyClosed, 1)]).toEqual([1, 1]);
    redis.pause();
    try {
      expect(await accepted(onlyOpen, 5)).toBe(4);
      expect((await refusal(onlyClosed))?.code).toBe('service_unavailable');
    } finally {
      redis.resume();
    }
  });
});
