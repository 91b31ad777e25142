import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../packages/core/src/kernel/logger.js';
import { unobserved } from '../../packages/core/src/kernel/observer.js';
import { RedisEphemeralStore } from '../../packages/core/src/storage/ephemeral-store.redis.js';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { handOff } from '../support/hand-off.js';
import { signedInUser } from '../support/minted-token.js';
import { RedisCluster } from '../support/redis-cluster.js';
import { SentinelRedis } from '../support/redis-sentinel.js';
import { describeWithRedis } from '../support/redis.js';
import { serviceForThisTest, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const PROMISED_MS = 10_000;

/** Reads and refreshes with a session until the end of the test, which fails if an answer is not 200. */
async function useSession(service: TestService): Promise<() => Promise<void>> {
  const { token, refreshToken } = await signedInUser(service);
  const answers = new Set<number>();
  let isRunning = true;
  const work = async (current: string): Promise<void> => {
    if (!isRunning) return;
    answers.add((await service.api('GET', '/auth/me', { token })).status);
    const refreshed = await service.api('POST', '/auth/refresh', { body: { refreshToken: current } });
    answers.add(refreshed.status);
    await sleep(10);
    return work(refreshed.data.refreshToken);
  };
  const done = work(refreshToken);
  return async () => {
    isRunning = false;
    await done;
    expect([...answers]).toEqual([200]);
  };
}

/** A store of the same Redis; its keys are spread over all masters. */
function openStore(url: string): RedisEphemeralStore {
  const store = new RedisEphemeralStore({
    url,
    keyPrefix: 'failover:',
    logger: silentLogger,
    observer: unobserved,
  });
  onTestFinished(() => store.close());
  return store;
}

const KEYS = Array.from({ length: 30 }, (_, n) => `key-${n}`);

const untilEveryKeyIsWritten = (store: RedisEphemeralStore) =>
  waitUntil(
    async () => {
      const writes = await Promise.allSettled(KEYS.map((key) => store.set(key, 'written', 60)));
      return writes.every(({ status }) => status === 'fulfilled');
    },
    { what: 'writes to every key' },
  );

/** Operations that need Redis work again within the promised time of a promotion, and sessions work throughout. */
async function expectToFollow(url: string, failOver: () => Promise<void>): Promise<void> {
  const service = await serviceForThisTest({ redis: url });
  const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
  const store = openStore(url);
  await untilEveryKeyIsWritten(store);
  await waitUntil(async () => (await service.api('GET', '/ready')).status === 200, { what: '200 of /ready' });
  await handOff(service, staff.token);
  const endSession = await useSession(service);
  await failOver();
  const measured = await besideProbe(
    async () => {
      await untilEveryKeyIsWritten(store);
      await waitUntil(() => handOff(service, staff.token).catch(() => undefined), { what: 'a hand-off' });
    },
    () => service.api('GET', '/health'),
  );
  expect(measured.milliseconds).toBeLessThan(allowedMs(PROMISED_MS, measured));
  await endSession();
  await waitUntil(async () => (await service.api('GET', '/ready')).status === 200, { what: '200 of /ready' });
}

describeWithRedis('a failover of Redis', () => {
  it('the master that Sentinels promote is used within 10 seconds, and sessions work meanwhile', async () => {
    const redis = await SentinelRedis.start();
    onTestFinished(() => redis.stop());
    await expectToFollow(redis.url, async () => {
      redis.master.kill();
      await redis.untilPromoted();
    });
  });

  it('the master that a Cluster promotes is used within 10 seconds, and sessions work meanwhile', async () => {
    const redis = await RedisCluster.start();
    onTestFinished(() => redis.stop());
    await expectToFollow(redis.url, () => redis.failOver());
  });
});
