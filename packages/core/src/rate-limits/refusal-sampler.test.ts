import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { describeWithRedis, startRedis } from '../../../../test/support/redis.js';
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

function contract(openStore: () => Promise<EphemeralStore>): void {
  it('writes one row per minute for each kind of refusal', async () => {
    const sampler = samplerOver(await openStore());
    expect(await samples(sampler, 100)).toEqual([{}]);
    expect(await sampler.sample('login:203.0.113.8')).toEqual({});
  });

  it('reports the number of refusals without a row in the next row', async () => {
    const store = await openStore();
    const sampler = samplerOver(store);
    await samples(sampler, 7);
    await endMinute(store);
    expect(await samples(sampler, 3)).toEqual([{ repeated: 6 }]);
    await endMinute(store);
    expect(await samples(sampler, 1)).toEqual([{ repeated: 2 }]);
    await endMinute(store);
    expect(await samples(sampler, 1)).toEqual([{}]);
  });
}

describe('sampling of equal refusals in this process', () => {
  contract(() => Promise.resolve(new MemoryEphemeralStore({ clock: systemClock })));

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
    return {
      redis,
      store: new RedisEphemeralStore({
        url: redis.url,
        keyPrefix: 'test:',
        logger: silentLogger,
        observer: unobserved,
      }),
    };
  };
  contract(async () => (await openStore()).store);

  it('writes one row for all processes', async () => {
    const { redis, store } = await openStore();
    const second = new RedisEphemeralStore({
      url: redis.url,
      keyPrefix: 'test:',
      logger: silentLogger,
      observer: unobserved,
    });
    const samplers = [samplerOver(store), samplerOver(second)];
    const sampled = await Promise.all(samplers.map((sampler) => samples(sampler, 20)));
    expect(sampled.flat()).toEqual([{}]);
  });

  it('writes one row for each process while Redis is unavailable', async () => {
    const { redis, store } = await openStore();
    const sampler = samplerOver(store);
    redis.kill();
    expect(await samples(sampler, 20)).toEqual([{}]);
  });
});
