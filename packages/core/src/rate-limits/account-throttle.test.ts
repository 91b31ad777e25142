import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWithRedis, startRedis } from '../../../../test/support/redis.js';
import type { TestRedis } from '../../../../test/support/redis.js';
import { AuthError } from '../kernel/auth-error.js';
import { silentLogger } from '../kernel/logger.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { RedisEphemeralStore } from '../storage/ephemeral-store.redis.js';
import { AccountThrottle } from './account-throttle.js';
import type { AccountThrottleOptions } from './account-throttle.js';
import { throttleKeys, waitSeconds } from './failure-record.js';

const EMAIL = 'jane@example.com';
const HOME = '203.0.113.7';
const ELSEWHERE = '198.51.100.1';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function throttle(store: EphemeralStore, options: Partial<AccountThrottleOptions> = {}): AccountThrottle {
  const made = new AccountThrottle({ store, failMode: 'open', ...options });
  closers.push(
    () => made.close(),
    () => store.close(),
  );
  return made;
}

async function fail(target: AccountThrottle, times: number, ip: string | null = ELSEWHERE): Promise<void> {
  for (let time = 0; time < times; time += 1) await target.recordFailure(EMAIL, ip);
}

/** Seconds the account has to wait, 0 when it is free. */
async function waitOf(
  target: AccountThrottle,
  ip: string | null = ELSEWHERE,
  email = EMAIL,
): Promise<number> {
  try {
    await target.check(email, ip);
    return 0;
  } catch (error) {
    if (error instanceof AuthError && error.code === 'rate_limited') return error.retryAfterSeconds ?? -1;
    throw error;
  }
}

async function codeOf(work: Promise<void>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AuthError ? error.code : undefined;
}

function contract(openStore: () => EphemeralStore): void {
  it('lets 19 failures pass and makes the account wait 30 seconds after the 20th', async () => {
    const target = throttle(openStore());
    await fail(target, 19);
    expect(await waitOf(target)).toBe(0);
    await fail(target, 1);
    expect([29, 30]).toContain(await waitOf(target));
    expect([29, 30]).toContain(await waitOf(target, null));
    expect(await waitOf(target, ELSEWHERE, 'other@example.com')).toBe(0);
  });

  it('doubles the wait with each failure after a wait, up to 15 minutes', async () => {
    const store = openStore();
    const target = throttle(store);
    await fail(target, 20);
    const waits: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      waits.push(Math.ceil((await waitOf(target)) / 10) * 10);
      await store.delete(throttleKeys(EMAIL).wait);
      expect(await waitOf(target)).toBe(0);
      await fail(target, 1);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  it('is not lengthened by attempts that were under way when it began', async () => {
    const target = throttle(openStore());
    await Promise.all(Array.from({ length: 60 }, () => target.recordFailure(EMAIL, ELSEWHERE)));
    expect([29, 30]).toContain(await waitOf(target));
  });

  it('ends by itself, and some quiet time later the account starts afresh', async () => {
    const policy = { failures: 2, window: 0.5, firstWait: 0.5, maxWait: 1 };
    const target = throttle(openStore(), { policy });
    await fail(target, 2);
    expect(await waitOf(target)).toBe(1);
    await sleep(550);
    expect(await waitOf(target)).toBe(0);
    await sleep(600);
    await fail(target, 1);
    expect(await waitOf(target)).toBe(0);
  });

  it('forgets the failures after a success', async () => {
    const target = throttle(openStore());
    await fail(target, 20);
    await target.recordSuccess(EMAIL, HOME);
    expect(await waitOf(target)).toBe(0);
    await fail(target, 19);
    expect(await waitOf(target)).toBe(0);
    await fail(target, 1);
    expect([29, 30]).toContain(await waitOf(target));
  });

  it('exempts an address that signed in to this account, and only it', async () => {
    const target = throttle(openStore());
    await target.recordSuccess(EMAIL, HOME);
    await target.recordSuccess('other@example.com', ELSEWHERE);
    await fail(target, 20);
    expect(await waitOf(target, HOME)).toBe(0);
    expect(await waitOf(target, ELSEWHERE)).toBeGreaterThan(0);
  });

  it('does not count the failures of an exempt address', async () => {
    const target = throttle(openStore());
    await target.recordSuccess(EMAIL, HOME);
    await fail(target, 40, HOME);
    expect(await waitOf(target, ELSEWHERE)).toBe(0);
  });

  it('exempts nobody whose address is unknown', async () => {
    const target = throttle(openStore());
    await target.recordSuccess(EMAIL, null);
    await fail(target, 20, null);
    expect(await waitOf(target, null)).toBeGreaterThan(0);
  });
}

describe('the throttle of an account in this process', () => {
  contract(() => new MemoryEphemeralStore());
});

describe('the wait', () => {
  it('stays at its longest however often it is renewed', () => {
    expect(waitSeconds(1, 30, 900)).toBe(30);
    expect(waitSeconds(5, 30, 900)).toBe(480);
    expect(waitSeconds(6, 30, 900)).toBe(900);
    expect(waitSeconds(100_000, 30, 900)).toBe(900);
  });
});

describeWithRedis('the throttle of an account in Redis', () => {
  let redis: TestRedis;
  let run = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const openStore = (keyPrefix: string, url = redis.url) =>
    new RedisEphemeralStore({ url, keyPrefix, logger: silentLogger });
  const freshPrefix = () => `latchkey-${(run += 1)}:`;

  contract(() => openStore(freshPrefix()));

  it('is shared by all processes', async () => {
    const prefix = freshPrefix();
    const [one, two] = [throttle(openStore(prefix)), throttle(openStore(prefix))];
    await Promise.all([fail(one, 10), fail(two, 10)]);
    expect(await waitOf(one)).toBeGreaterThan(0);
    expect(await waitOf(two)).toBeGreaterThan(0);
  });

  it('writes no email, and nothing without an end', async () => {
    const prefix = freshPrefix();
    const target = throttle(openStore(prefix));
    await fail(target, 20);
    const reader = openStore('');
    closers.push(() => reader.close());
    const entries = () =>
      reader.execute(async (client) => {
        const keys = await client.keys(`${prefix}*`);
        return Promise.all(keys.map(async (key) => ({ key, ttl: await client.ttl(key) })));
      });
    const before = await entries();
    await target.recordSuccess(EMAIL, HOME);
    const after = await entries();
    expect([before.length, after.length]).toEqual([3, 1]);
    expect(JSON.stringify([before, after])).not.toMatch(/jane|example/);
    expect(before.every(({ ttl }) => ttl > 0)).toBe(true);
    expect(after[0]?.ttl).toBeGreaterThan(29 * 86_400);
  });

  it('goes on per process when Redis dies', async () => {
    const own = await startRedis();
    const target = throttle(openStore(freshPrefix(), own.url));
    await fail(target, 19);
    own.kill();
    expect(await waitOf(target)).toBe(0);
    await fail(target, 20);
    expect([29, 30]).toContain(await waitOf(target));
    await target.recordSuccess(EMAIL, HOME);
    expect(await waitOf(target)).toBe(0);
  });

  it('answers 503 when Redis dies and the fail mode is closed', async () => {
    const own = await startRedis();
    const target = throttle(openStore(freshPrefix(), own.url), { failMode: 'closed' });
    await fail(target, 1);
    own.kill();
    expect(await codeOf(target.check(EMAIL, HOME))).toBe('service_unavailable');
    expect(await codeOf(target.recordFailure(EMAIL, HOME))).toBe('service_unavailable');
    expect(await codeOf(target.recordSuccess(EMAIL, HOME))).toBe('service_unavailable');
  });

  it('does not wait for a Redis that hangs', async () => {
    const target = throttle(openStore(freshPrefix()));
    await fail(target, 1);
    redis.pause();
    try {
      await fail(target, 20);
      expect(await waitOf(target)).toBeGreaterThan(0);
    } finally {
      redis.resume();
    }
  });
});
