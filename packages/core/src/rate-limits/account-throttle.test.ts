import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWithRedis, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { AuthError } from '../kernel/auth-error.js';
import { silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { RedisEphemeralStore } from '../storage/ephemeral-store.redis.js';
import { AccountThrottle, type AccountThrottleDeps } from './account-throttle.js';
import { throttleKeys } from './attempt-counter.js';
import type { SignInAttempt } from './sign-in-attempt.js';

const EMAIL = 'jane@example.com';
const HOME = '203.0.113.7';
const OFFICE = '203.0.113.8';
const ELSEWHERE = '198.51.100.1';
const DAY = 86_400;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A clock that only changes when it is advanced. */
class ManualClock {
  #time = 1_800_000_000_000;
  readonly now = (): number => this.#time;
  readonly elapsed = (): number => this.#time;
  advance(seconds: number): void {
    this.#time += seconds * 1000;
  }
}

interface ThrottleFixture {
  target: AccountThrottle;
  clock: ManualClock;
}

/** Opens a store. An in-process store uses the clock. */
type OpenStore = (clock: ManualClock) => EphemeralStore;

function throttle(openStore: OpenStore, options: Partial<AccountThrottleDeps> = {}): ThrottleFixture {
  const clock = new ManualClock();
  const store = openStore(clock);
  const target = new AccountThrottle({
    observer: unobserved,
    store,
    failMode: 'open',
    clock,
    ...options,
  });
  closers.push(
    () => target.close(),
    () => store.close(),
  );
  return { target, clock };
}

const address = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

/** Returns the attempt, or the seconds to wait. */
async function reserve(
  target: AccountThrottle,
  ip: string | null = ELSEWHERE,
  email = EMAIL,
): Promise<SignInAttempt | number> {
  try {
    return await target.reserve(email, ip);
  } catch (error) {
    if (AuthError.is(error) && error.code === 'rate_limited') return error.retryAfterSeconds ?? -1;
    throw error;
  }
}

/** Makes an attempt with a wrong password. Returns the seconds to wait, or 0 if the password was verified. */
async function guess(target: AccountThrottle, ip: string | null = ELSEWHERE, email = EMAIL): Promise<number> {
  const attempt = await reserve(target, ip, email);
  if (typeof attempt === 'number') return attempt;
  await attempt.fail();
  return 0;
}

async function guesses(target: AccountThrottle, times: number, ip: string | null = ELSEWHERE) {
  const waits: number[] = [];
  for (let time = 0; time < times; time += 1) waits.push(await guess(target, ip));
  return waits;
}

/** Returns whether the correct password is accepted. */
async function signIn(target: AccountThrottle, ip: string | null = HOME): Promise<boolean> {
  const attempt = await reserve(target, ip);
  if (typeof attempt === 'number') return false;
  await attempt.succeed();
  return true;
}

const letThrough = (waits: readonly number[]): number => waits.filter((seconds) => seconds === 0).length;

function contract(openStore: OpenStore): void {
  it('allows 20 failures, then makes the account wait 30 seconds', async () => {
    const { target } = throttle(openStore);
    expect(await guesses(target, 21)).toEqual([...Array<number>(20).fill(0), 30]);
    expect(await guess(target, ELSEWHERE, 'other@example.com')).toBe(0);
  });

  it('lets one attempt pass after each wait, and doubles the wait up to 15 minutes', async () => {
    const { target, clock } = throttle(openStore);
    await guesses(target, 20);
    const waits: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      const wait = await guess(target);
      waits.push(wait);
      clock.advance(wait);
      expect(await guess(target)).toBe(0);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  it('never compares more passwords of a parallel burst than of attempts in turn', async () => {
    const { target } = throttle(openStore);
    const burst = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(target, address(index))));
    // All addresses are new, so ten of them may use their single attempt during the wait that the first 20 started.
    expect(letThrough(burst)).toBe(30);
  });

  it('compares exactly the limit when a burst comes from addresses that have failed', async () => {
    const { target } = throttle(openStore);
    const ips = Array.from({ length: 100 }, (_, index) => address(index % 10));
    await Promise.all(Array.from({ length: 10 }, (_, index) => guess(target, address(index))));
    const burst = await Promise.all(ips.map((ip) => guess(target, ip)));
    expect(letThrough(burst)).toBe(10);
  });

  it('is not prolonged by what it refuses', async () => {
    const { target, clock } = throttle(openStore);
    await guesses(target, 20);
    clock.advance(29);
    expect(new Set(await guesses(target, 200))).toEqual(new Set([1]));
    clock.advance(1);
    expect(await guess(target)).toBe(0);
  });

  it('clears failures 15 minutes after the first one, and waits 15 minutes after they end', async () => {
    const { target, clock } = throttle(openStore);
    await guesses(target, 19);
    clock.advance(900);
    expect(await guesses(target, 21)).toEqual([...Array<number>(20).fill(0), 30]);
    clock.advance(30 + 900);
    expect(await guesses(target, 21)).toEqual([...Array<number>(20).fill(0), 30]);
  });

  it('clears the failures after a success', async () => {
    const { target } = throttle(openStore);
    await guesses(target, 20);
    expect(await signIn(target)).toBe(true);
    expect(await guesses(target, 21)).toEqual([...Array<number>(20).fill(0), 30]);
  });

  it('does not count attempts that were taken back, and takes none back twice', async () => {
    const { target } = throttle(openStore);
    await guess(target);
    const attempts = await Promise.all(Array.from({ length: 19 }, () => reserve(target)));
    expect(await guess(target)).toBe(30);
    for (const attempt of attempts) {
      if (typeof attempt === 'number') throw new Error('an attempt was refused');
      await attempt.takeBack();
      await attempt.takeBack();
      await attempt.fail();
    }
    expect(await guesses(target, 20)).toEqual([...Array<number>(19).fill(0), 30]);
  });

  it('ends a wait when the attempt that started it is taken back', async () => {
    const { target, clock } = throttle(openStore);
    await guesses(target, 20);
    clock.advance(30);
    const attempt = await reserve(target);
    expect(await guess(target)).toBe(60);
    if (typeof attempt !== 'number') await attempt.takeBack();
    expect(await guess(target)).toBe(0);
  });

  it('keeps counting an attempt whose outcome is never reported', async () => {
    const { target } = throttle(openStore);
    for (let time = 0; time < 20; time += 1) await target.reserve(EMAIL, ELSEWHERE);
    await guess(target);
    expect(await guess(target)).toBeGreaterThan(0);
  });

  it('exempts only an address that has signed in from the wait, and does not count its attempts', async () => {
    const { target } = throttle(openStore);
    await signIn(target, HOME);
    expect(letThrough(await guesses(target, 40, HOME))).toBe(40);
    expect(await guesses(target, 21)).toEqual([...Array<number>(20).fill(0), 30]);
    expect(await guess(target, HOME)).toBe(0);
    expect(await signIn(target, HOME)).toBe(true);
  });

  it('lets known addresses fail 100 times a day together, in parallel as in turn', async () => {
    const { target, clock } = throttle(openStore);
    for (const ip of [HOME, OFFICE]) await signIn(target, ip);
    const burst = await Promise.all(
      Array.from({ length: 150 }, (_, index) => guess(target, index % 2 === 0 ? HOME : OFFICE)),
    );
    expect(letThrough(burst)).toBe(100);
    let failures = 0;
    for (let time = 0; time < 900; time += 1) {
      clock.advance(90);
      failures += letThrough([await guess(target, HOME)]);
    }
    expect(failures).toBe(0);
    clock.advance(DAY);
    expect(letThrough(await guesses(target, 150, HOME))).toBe(100);
  });

  it('does not reset the 100 failures of known addresses after a success', async () => {
    const { target } = throttle(openStore);
    await signIn(target, HOME);
    await guesses(target, 99, HOME);
    await signIn(target, HOME);
    expect(letThrough(await guesses(target, 10, HOME))).toBe(1);
  });

  it('allows another known address when the daily failures are used up', async () => {
    const { target } = throttle(openStore);
    for (const ip of [HOME, OFFICE]) await signIn(target, ip);
    await guesses(target, 120, OFFICE);
    expect(await signIn(target, HOME)).toBe(true);
    expect(await signIn(target, OFFICE)).toBe(false);
  });

  it('lets each address that has not failed try once during a wait, ten of them a minute', async () => {
    const { target, clock } = throttle(openStore);
    await guesses(target, 20);
    const fresh = await Promise.all(Array.from({ length: 15 }, (_, index) => guess(target, address(index))));
    expect(letThrough(fresh)).toBe(10);
    expect(Math.max(...fresh)).toBeLessThanOrEqual(30);
    const again = await Promise.all(Array.from({ length: 10 }, (_, index) => guess(target, address(index))));
    expect(letThrough(again)).toBe(0);
    clock.advance(30);
    await guess(target);
    clock.advance(30);
    // The five that exceeded the limit have not failed and may try in the next minute.
    const later = await Promise.all(Array.from({ length: 15 }, (_, index) => guess(target, address(index))));
    expect(letThrough(later)).toBe(5);
  });

  it('allows one of many concurrent attempts of a new address during a wait', async () => {
    const { target } = throttle(openStore);
    await guesses(target, 20);
    const burst = await Promise.all(Array.from({ length: 20 }, () => guess(target, HOME)));
    expect(letThrough(burst)).toBe(1);
  });

  it('lets addresses that have failed use up none of the single attempts', async () => {
    const { target } = throttle(openStore);
    await guesses(target, 20);
    await guesses(target, 100);
    expect(await signIn(target, HOME)).toBe(true);
  });

  it('takes back a single attempt that ended without a wrong password', async () => {
    const { target } = throttle(openStore);
    await guesses(target, 20);
    const attempt = await reserve(target, HOME);
    if (typeof attempt !== 'number') await attempt.takeBack();
    expect(await signIn(target, HOME)).toBe(true);
  });

  it('is no way to keep the owner out: 1,000 requests a day leave each new address its attempt', async () => {
    const { target, clock } = throttle(openStore);
    await guesses(target, 20);
    let requests = 20;
    let nextOwner = clock.now() + 3_600_000;
    const outcomes: boolean[] = [];
    const end = clock.now() + DAY * 1000;
    while (clock.now() < end) {
      // The attacker knows the schedule and is always first after a wait.
      const wait = requests < 1000 ? await guess(target) : 900;
      requests += 1;
      if (clock.now() >= nextOwner) {
        const attempt = await reserve(target, address(outcomes.length));
        outcomes.push(typeof attempt !== 'number');
        if (typeof attempt !== 'number') await attempt.takeBack();
        nextOwner += 3_600_000;
      }
      clock.advance(Math.max(wait, 1));
    }
    expect(outcomes.length).toBeGreaterThan(20);
    expect(outcomes).not.toContain(false);
  });

  it('keeps the owner out only as long as the attacker uses up new addresses', async () => {
    const { target, clock } = throttle(openStore);
    await guesses(target, 20);
    // A thousand addresses, ten a minute, use their single attempts while one address extends the waits.
    let used = 0;
    for (let minute = 0; minute < 100; minute += 1) {
      await guess(target);
      const burst = Array.from({ length: 12 }, (_, index) => guess(target, address(1000 + used + index)));
      used += letThrough(await Promise.all(burst));
      clock.advance(60);
    }
    expect(used).toBe(1000);
    await guess(target);
    await guess(target);
    expect(await signIn(target, HOME)).toBe(true);
  });

  it('is over at once after a reset of the password, and the address of the reset is known', async () => {
    const { target } = throttle(openStore);
    await signIn(target, OFFICE);
    await guesses(target, 120, OFFICE);
    await guesses(target, 20);
    await guess(target, HOME);
    expect(await guess(target, HOME)).toBeGreaterThan(0);
    await target.recordReset(EMAIL, HOME);
    expect(await signIn(target, HOME)).toBe(true);
    expect(await guesses(target, 21)).toEqual([...Array<number>(20).fill(0), 30]);
    expect(letThrough(await guesses(target, 120, HOME))).toBe(100);
  });

  it('never exempts an unknown address', async () => {
    const { target } = throttle(openStore);
    await signIn(target, null);
    expect(letThrough(await guesses(target, 40, null))).toBe(20);
  });
}

describe('the throttle of an account in this process', () => {
  contract((clock) => new MemoryEphemeralStore({ clock }));
});

describeWithRedis('the throttle of an account in Redis', () => {
  let redis: TestRedis;
  let run = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const openStore = (keyPrefix: string, url = redis.url) =>
    new RedisEphemeralStore({ url, keyPrefix, logger: silentLogger, observer: unobserved });
  const freshPrefix = () => `latchkey-${(run += 1)}:`;

  contract(() => openStore(freshPrefix()));

  it('is shared by all processes, also under a parallel burst', async () => {
    const prefix = freshPrefix();
    const targets = [1, 2, 3].map(() => throttle(() => openStore(prefix)).target);
    const burst = await Promise.all(
      Array.from({ length: 100 }, (_, index) => guess(targets[index % 3]!, address(index))),
    );
    expect(letThrough(burst)).toBe(30);
    for (const target of targets) expect(await guess(target, address(0))).toBeGreaterThan(0);
    await targets[0]!.recordReset(EMAIL, HOME);
    for (const target of targets) expect(await guess(target, address(0))).toBe(0);
  });

  it('takes back its own attempt only, whatever other processes have counted since', async () => {
    const prefix = freshPrefix();
    const [target, other] = [1, 2].map(() => throttle(() => openStore(prefix)).target);
    const attempt = await reserve(target!, HOME);
    expect(letThrough(await guesses(other!, 19))).toBe(19);
    expect(await guess(other!)).toBeGreaterThan(0);
    if (typeof attempt !== 'number') await attempt.takeBack();
    expect(letThrough(await guesses(target!, 3))).toBe(1);
  });

  it('clears what other processes have counted since when its attempt succeeds', async () => {
    const prefix = freshPrefix();
    const [target, other] = [1, 2].map(() => throttle(() => openStore(prefix)).target);
    const attempt = await reserve(target!, HOME);
    await guesses(other!, 19);
    if (typeof attempt !== 'number') await attempt.succeed();
    expect(letThrough(await guesses(other!, 20))).toBe(20);
  });

  it('writes no email, and nothing without expiry', async () => {
    const prefix = freshPrefix();
    const { target } = throttle(() => openStore(prefix));
    await guesses(target, 20);
    const reader = openStore('');
    closers.push(() => reader.close());
    const entries = () =>
      reader.execute(async (client) => {
        const keys = await client.keys(`${prefix}*`);
        return Promise.all(keys.map(async (key) => ({ key, ttl: await client.ttl(key) })));
      });
    const before = await entries();
    await signIn(target, HOME);
    const after = await entries();
    expect([before.length, after.length]).toEqual([2, 3]);
    expect(JSON.stringify([before, after])).not.toMatch(/jane|example/);
    expect([...before, ...after].every(({ ttl }) => ttl > 0)).toBe(true);
    expect(after.find(({ key }) => key.includes(':known:'))?.ttl).toBeGreaterThan(29 * DAY);
  });

  it.each([
    ['emptied', (store: RedisEphemeralStore) => store.execute((client) => client.flushall())],
    [
      'filled with nonsense',
      (store: RedisEphemeralStore) => store.set(throttleKeys(EMAIL).record, 'nonsense', 60),
    ],
    [
      'filled with counts below zero',
      (store: RedisEphemeralStore) => store.set(throttleKeys(EMAIL).record, '-1 -1 0 0 0 0 0', 60),
    ],
  ])('goes on with what this process knows when Redis is %s', async (_how, damage) => {
    const prefix = freshPrefix();
    const { target } = throttle(() => openStore(prefix));
    await guesses(target, 15);
    const store = openStore(prefix);
    closers.push(() => store.close());
    await damage(store);
    expect(letThrough(await guesses(target, 20))).toBe(5);
  });

  it('never waits longer than the policy allows, whatever Redis contains', async () => {
    const prefix = freshPrefix();
    const { target, clock } = throttle(() => openStore(prefix));
    const store = openStore(prefix);
    closers.push(() => store.close());
    const future = clock.now() * 2;
    await store.set(throttleKeys(EMAIL).record, `1e300 ${future} ${future} 0 0 0 0`, 60);
    await guess(target);
    expect(await guess(target)).toBeLessThanOrEqual(900);
  });

  it('goes on per process when Redis dies, knowing what it saw before', async () => {
    const own = await startRedis();
    const { target } = throttle(() => openStore(freshPrefix(), own.url));
    await guesses(target, 15);
    const attempt = await reserve(target, HOME);
    own.kill();
    expect(letThrough(await guesses(target, 20))).toBe(4);
    if (typeof attempt !== 'number') await attempt.succeed();
    expect(letThrough(await guesses(target, 30))).toBe(20);
  });

  it('responds with 503 when Redis dies and the fail mode is closed, but reports of attempts still succeed', async () => {
    const own = await startRedis();
    const { target } = throttle(() => openStore(freshPrefix(), own.url), { failMode: 'closed' });
    const attempt = await target.reserve(EMAIL, HOME);
    own.kill();
    await expect(target.reserve(EMAIL, HOME)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(attempt.succeed()).resolves.toBeUndefined();
    await expect(target.recordReset(EMAIL, HOME)).resolves.toBeUndefined();
  });

  it('does not wait for a Redis that hangs', async () => {
    const { target } = throttle(() => openStore(freshPrefix()));
    await guess(target);
    redis.pause();
    try {
      expect(letThrough(await guesses(target, 25))).toBe(19);
    } finally {
      redis.resume();
    }
  });
});
