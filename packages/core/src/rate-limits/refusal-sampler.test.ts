import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { describeWithRedis, startRedis } from '../../../../test/support/redis.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { RedisEphemeralStore } from '../storage/ephemeral-store.redis.js';
import { RefusalSampler, type SampledRefusal } from './refusal-sampler.js';

const KEY = 'login:203.0.113.7';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function samplerOver(store: EphemeralStore): RefusalSampler {
  const sampler = new RefusalSampler({ store, clock: systemClock });
  closers.push(
    () => sampler.close(),
    () => store.close(),
  );
  return sampler;
}

async function samples(sampler: RefusalSampler, count: number): Promise<SampledRefusal[]> {
  const sampled = await Promise.all(Array.from({ length: count }, () => sampler.sample(KEY)));
  return sampled.filter((sample) => sample !== undefined);
}

/** Ends the minute. */
const endMinute = (store: EphemeralStore): Promise<void> => store.delete(`refusal:{${KEY}}:row`);

interface OpenStore {
  store: EphemeralStore;
  /** Reports whether an operation has failed, as with a Redis that a busy machine gave no processor in time. */
  hasFailed: () => boolean;
}

/** Work on a fresh store whose operations have all succeeded: a failed one is counted elsewhere, as is intended. */
async function undisturbed<S extends OpenStore, T>(
  openStore: () => Promise<S>,
  work: (opened: S) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    const opened = await openStore();
    const result = await work(opened);
    if (!opened.hasFailed() || attempts === 20) return result;
  }
}

function contract(openStore: () => Promise<OpenStore>): void {
  it('writes one row per minute for each kind of refusal', async () => {
    const rows = await undisturbed(openStore, async ({ store }) => {
      const sampler = samplerOver(store);
      return [await samples(sampler, 100), await sampler.sample('login:203.0.113.8')];
    });
    expect(rows).toEqual([[{}], {}]);
  });

  it('reports the number of refusals without a row in the next row', async () => {
    const rows = await undisturbed(openStore, async ({ store }) => {
      const sampler = samplerOver(store);
      await samples(sampler, 7);
      const minutes: SampledRefusal[][] = [];
      for (const count of [3, 1, 1]) {
        await endMinute(store);
        minutes.push(await samples(sampler, count));
      }
      return minutes;
    });
    expect(rows).toEqual([[{ repeated: 6 }], [{ repeated: 2 }], [{}]]);
  });
}

describe('sampling of equal refusals in this process', () => {
  contract(() => {
    const store = new MemoryEphemeralStore({ clock: systemClock });
    return Promise.resolve({ store, hasFailed: () => false });
  });

  it('writes another row after a minute', async () => {
    let time = 0;
    const clock = { now: () => time, elapsed: () => time };
    const sampler = samplerOver(new MemoryEphemeralStore({ clock }));
    await samples(sampler, 2);
    time = 59_000;
    expect(await samples(sampler, 1)).toEqual([]);
    time = 60_000;
    expect(await samples(sampler, 1)).toEqual([{ repeated: 2 }]);
  });
});

describeWithRedis('sampling of equal refusals in Redis', () => {
  const openStore = async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    let hasFailed = false;
    const observer = { ...unobserved, storeFailed: () => void (hasFailed = true) };
    const connect = (): EphemeralStore =>
      new RedisEphemeralStore({ url: redis.url, keyPrefix: 'test:', logger: silentLogger, observer });
    return { redis, connect, store: connect(), hasFailed: () => hasFailed };
  };
  contract(openStore);

  it('writes one row for all processes', async () => {
    const sampled = await undisturbed(openStore, async ({ store, connect }) => {
      const samplers = [samplerOver(store), samplerOver(connect())];
      const rows = await Promise.all(samplers.map((sampler) => samples(sampler, 20)));
      return rows.flat();
    });
    // It counts the others of the same moment if they come between its two steps.
    expect(sampled).toHaveLength(1);
  });

  it('writes one row for each process while Redis is unavailable', async () => {
    const { redis, store } = await openStore();
    const sampler = samplerOver(store);
    redis.kill();
    const isUnavailable = () =>
      store.ping(1_000).then(
        () => false,
        () => true,
      );
    await waitUntil(isUnavailable, { what: 'a store without Redis' });
    expect(await samples(sampler, 20)).toEqual([{}]);
  });
});
