import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { describeWithRedis, startRedis } from './redis.js';

const connect = (url: string, commandTimeout = 2000) => {
  const client = new Redis(url, { commandTimeout, retryStrategy: null, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  return client;
};

describeWithRedis('a private Redis', () => {
  it('a paused Redis answers no client and continues with its data', async () => {
    const redis = await startRedis();
    const client = connect(redis.url, 200);
    await client.set('a', '1');
    redis.pause();
    await expect(client.get('a')).rejects.toThrow(/timed out/);
    redis.resume();
    expect(await client.get('a')).toBe('1');
    client.disconnect();
    await redis.stop();
  });

  it('is gone at once when killed, and a new one can take its port', async () => {
    const first = await startRedis();
    first.kill();
    const second = await startRedis([], first.port);
    const client = connect(second.url);
    expect(await client.ping()).toBe('PONG');
    expect(second.pid).not.toBe(first.pid);
    client.disconnect();
    await second.stop();
  });

  it('stops although it is paused', async () => {
    const redis = await startRedis();
    redis.pause();
    await redis.stop();
    expect(() => process.kill(redis.pid, 0)).toThrow();
  });
});
