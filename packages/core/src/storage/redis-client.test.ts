import { Cluster, Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createRedisClient } from './redis-client.js';

/** Returns the client of the URL; it is stopped before it connects. */
function clientFor(url: string): Redis | Cluster {
  const client = createRedisClient(url, 'test:');
  client.on('error', () => undefined);
  client.disconnect();
  return client;
}

const redisFor = (url: string) => {
  const client = clientFor(url);
  return client instanceof Redis ? client.options : expect.fail('not a single client');
};

describe('a Redis URL', () => {
  it('a Redis URL with one host means one server', () => {
    expect(redisFor('redis://cache.example')).toMatchObject({ host: 'cache.example', port: 6379, db: 0 });
    expect(redisFor('redis://u:p%40ss@[::1]:7000/3')).toMatchObject({
      host: '::1',
      port: 7000,
      db: 3,
      username: 'u',
      password: 'p@ss',
    });
    expect(redisFor('redis://:only@localhost/').password).toBe('only');
  });

  it('a Redis URL with the scheme rediss means TLS', () => {
    expect(redisFor('rediss://cache.example').tls).toEqual({});
    expect(redisFor('redis://cache.example').tls).toBeUndefined();
  });

  it.each(['redis://:secret@a:7000,b:7001,c', 'redis://:secret@a:7000,redis://b:7001,redis://c'])(
    'a Redis URL with several hosts means a cluster: %s',
    (url) => {
      const cluster = clientFor(url);
      expect(cluster).toBeInstanceOf(Cluster);
      expect(cluster.options).toMatchObject({ redisOptions: { password: 'secret' }, keyPrefix: 'test:' });
    },
  );

  it('a Redis URL with the scheme redis+sentinel means the master that the Sentinels name', () => {
    expect(redisFor('redis+sentinel://a,b:26380/main')).toMatchObject({
      name: 'main',
      sentinels: [
        { host: 'a', port: 26379 },
        { host: 'b', port: 26380 },
      ],
    });
  });

  it('a Redis URL of Sentinels may end in a database, and use TLS', () => {
    expect(redisFor('redis+sentinel://a/main').db).toBe(0);
    expect(redisFor('rediss+sentinel://u:p@a/main/2')).toMatchObject({
      name: 'main',
      db: 2,
      password: 'p',
      tls: {},
      enableTLSForSentinelMode: true,
    });
  });

  it.each([
    '',
    'localhost',
    'http://localhost',
    'redis://',
    'redis://a:port',
    'redis://a/main',
    'redis://a/1/2',
    'redis+sentinel://a/main/two',
    'redis+sentinel://a',
  ])('a Redis URL of another form is rejected: %j', (url) => {
    expect(() => createRedisClient(url, '')).toThrow(TypeError);
  });

  it('the error does not quote the Redis URL, since it may hold a password', () => {
    for (const url of ['redis://:secret@a b', 'redis://:secret@host:port', 'redis//:secret@host']) {
      expect(() => createRedisClient(url, '')).toThrow(/^(?!.*secret).*Redis URL/);
    }
  });
});
