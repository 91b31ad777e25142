import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeWithRedis, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { freePort } from '../../../../tools/shared/free-port.mjs';
import { silentLogger, type Logger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { RedisEphemeralStore } from './ephemeral-store.redis.js';

const unavailable = { code: 'service_unavailable', retryAfterSeconds: 1 };

let redis: TestRedis;
let store: RedisEphemeralStore;
let logged: string[];

const logger: Logger = {
  ...silentLogger,
  info: (_details, message) => void logged.push(`info: ${message}`),
  warn: (_details, message) => void logged.push(`warn: ${message}`),
};

const open = (url: string) =>
  new RedisEphemeralStore({ url, keyPrefix: 'test:', logger, observer: unobserved });
const recovery = () =>
  waitUntil(
    () =>
      store.get('key').then(
        () => true,
        () => false,
      ),
    { what: 'Redis to be reached again' },
  );

beforeEach(async () => {
  logged = [];
  redis = await startRedis();
  store = open(redis.url);
});

afterEach(async () => {
  redis.resume();
  await store.close();
  await redis.stop();
});

describeWithRedis('a Redis that goes away', () => {
  it('every operation is service_unavailable while Redis is down, and succeeds after its restart', async () => {
    await store.set('key', 'value', 60);
    redis.kill();
    const operations = [
      () => store.get('key'),
      () => store.set('key', 'value', 60),
      () => store.setIfAbsent('key', 'value', 60),
      () => store.getAndDelete('key'),
      () => store.increment('key', 60),
      () => store.delete('key', 'other'),
      () => store.ping(1_000),
    ];
    for (const operation of operations) await expect(operation()).rejects.toMatchObject(unavailable);

    redis = await startRedis([], redis.port);
    await recovery();
    await store.set('key', 'new', 60);
    expect(await store.get('key')).toBe('new');
  });

  it('an outage of Redis is logged once at its start and once at its end', async () => {
    await store.ping(1_000);
    redis.kill();
    await waitUntil(() => logged.length > 0, { what: 'the line that Redis is unavailable' });
    await expect(store.get('key')).rejects.toMatchObject(unavailable);
    redis = await startRedis([], redis.port);
    await recovery();
    expect(logged).toEqual(['warn: Redis is unavailable; reconnecting.', 'info: Redis is available again.']);
  });

  it('a Redis that is down does not prevent the start of the service', async () => {
    const early = open(`redis://127.0.0.1:${await freePort()}`);
    await expect(early.get('key')).rejects.toMatchObject(unavailable);
    await early.close();
  });
});

describeWithRedis('a Redis that hangs', () => {
  it('a Redis that hangs costs one operation its deadline and later ones no time', async () => {
    await store.set('key', 'value', 60);
    redis.pause();
    let sent = 0;
    const operation = () =>
      store.execute((client) => {
        sent += 1;
        return client.get('key');
      });
    for (let call = 0; call < 20; call++) await expect(operation()).rejects.toMatchObject(unavailable);
    expect(sent).toBe(1);

    redis.resume();
    await recovery();
    expect(await store.get('key')).toBe('value');
  });

  it('a ping of a Redis that hangs ends at its own timeout, before the deadline of an operation', async () => {
    await store.ping(1_000);
    redis.pause();
    const ended: string[] = [];
    await Promise.all([
      store.get('key').catch(() => ended.push('operation')),
      store.ping(50).catch(() => ended.push('ping')),
    ]);
    expect(ended).toEqual(['ping', 'operation']);
  });
});

describeWithRedis('what others run on the client', () => {
  it('execute fails as the store does, but throws a verdict that is no Error unchanged', async () => {
    const verdict = { remainingPoints: 0 };
    const limiter = () => Promise.resolve().then(() => Promise.reject(verdict as unknown as Error));
    await expect(store.execute(limiter)).rejects.toBe(verdict);
    await expect(store.execute(() => Promise.reject(new Error('lost')))).rejects.toMatchObject(unavailable);
  });
});

describeWithRedis('an error that Redis answers', () => {
  it('an error reply of Redis does not count as an outage', async () => {
    await store.set('text', 'value', 60);
    for (let call = 0; call < 5; call++) {
      await expect(store.increment('text', 60)).rejects.toMatchObject(unavailable);
    }
    expect(await store.get('text')).toBe('value');
  });
});
