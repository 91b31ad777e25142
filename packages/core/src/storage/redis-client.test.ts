import { Cluster, Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createRedisClient } from './redis-client.js';

/** What the client would connect to; it is stopped before it does. */
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
  it('with one host means one server', () => {
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

  it('means TLS when its scheme is rediss', () => {
    expect(redisFor('rediss://cache.example').tls).toEqual({});
    expect(redisFor('redis://cache.example').tls).toBeUndefined();
  });

  it.each(['redis://:secret@a:7000,b:7001,c', 'redis://:secret@a:7000,redis://b:7001,redis://c'])(
    'with several hosts means a cluster: %s',
    (url) => {
      const cluster = clientFor(url);
      expect(cluster).toBeInstanceOf(Cluster);
      expect(cluster.options).toMatchObject({ redisOptions: { password: 'secret' }, keyPrefix: 'test:' });
    },
  );

  it('with the scheme redis+sentinel means the master that the Sentinels name', () => {
    expect(redisFor('redis+sentinel://a,b:26380/main')).toMatchObject({
      name: 'main',
      sentinels: [
        { host: 'a', port: 26379 },
        { host: 'b', port: 26380 },
      ],
    });
  });

  it.each([
    '',
    'localhost',
    'http://localhost',
    'redis://',
    'redis://a:port',
    'redis://a/main',
    'redis+sentinel://a',
  ])('of another form is refused: %j', (url) => {
    expect(() => createRedisClient(url, '')).toThrow(TypeError);
  });

  it('does not appear in the refusal, since it may hold a password', () => {
    for (const url of ['redis://:secret@a b', 'redis://:secret@host:port', 'redis//:secret@host']) {
      expect(() => createRedisClient(url, '')).toThrow(/^(?!.*secret).*Redis URL/);
    }
  });
});
