import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithRedis, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { probeRedis } from '../../../operations/src/doctor/probes/redis-probe.js';
import { HealthService } from '../health/health-service.js';
import { silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { Database } from './database.js';
import { RedisEphemeralStore } from './ephemeral-store.redis.js';
import { isRedisRefusal } from './redis-refusal.js';

describeWithRedis('an account of Redis with few rights', () => {
  let server: TestRedis;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
  });

  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  async function accountWith(name: string, rules: readonly string[]): Promise<string> {
    await admin.call('ACL', 'SETUSER', name, 'reset', 'on', '>secret', ...rules);
    return server.url.replace('//', `//${name}:secret@`);
  }

  function storeOf(url: string): RedisEphemeralStore {
    const store = new RedisEphemeralStore({
      url,
      keyPrefix: 'latchkey:',
      logger: silentLogger,
      observer: unobserved,
    });
    onTestFinished(() => store.close());
    return store;
  }

  const healthOf = async (store: RedisEphemeralStore) => {
    const database = { ping: () => Promise.resolve({ isReadOnly: false }) } as unknown as Database;
    const health = new HealthService({ database, store, finance: undefined, requireRedis: true });
    return (await health.report()).find(({ name }) => name === 'redis');
  };

  it('an account without PING and INFO is ready, and nothing is written to the console', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const rules = ['~latchkey:*', '&*', '+@read', '+@write', '+@scripting', '-@dangerous'];
    const store = storeOf(await accountWith('few', rules));
    await store.ping(5_000);
    expect(await healthOf(store)).toMatchObject({ status: 'ok' });
    expect(warn).not.toHaveBeenCalled();
  });

  it('the doctor names the commands that are refused', async () => {
    const url = await accountWith('fewer', ['~latchkey:*', '&*', '+get', '+mget', '+set', '+eval']);
    const { unusable, nodes } = await probeRedis(url, { keyPrefix: 'latchkey:' } as never);
    expect(unusable).toMatch(/^the account may not use (?=.*INCR)(?=.*GETDEL)(?=.*DEL)(?=.*PUBLISH)/);
    expect(nodes).toEqual([]);
  });

  it('the rights that the documentation lists are sufficient', async () => {
    const page = readFileSync(new URL('../../../../docs/databases.md', import.meta.url), 'utf8');
    const [, rules = ''] = /ACL SETUSER latchkey on >password ([^\n`]+)/.exec(page) ?? [];
    const url = await accountWith('documented', rules.split(' '));
    expect(await probeRedis(url, { keyPrefix: 'latchkey:' } as never)).toMatchObject({ unusable: undefined });
    const store = storeOf(url);
    let heard = 0;
    const end = store.subscribe('revocations', () => void (heard += 1));
    onTestFinished(end);
    await vi.waitFor(() => {
      store.publish('revocations');
      expect(heard).toBeGreaterThan(0);
    }, 30_000);
  });

  it('a wrong password is a refusal and no outage', async () => {
    await accountWith('known', ['~*', '&*', '+@all']);
    const store = storeOf(server.url.replace('//', '//known:wrong@'));
    const error = await store.ping(5_000).catch((thrown: unknown) => thrown);
    expect(isRedisRefusal(error)).toBe(true);
    expect(await healthOf(store)).toMatchObject({ status: 'failed', fault: 'refused' });
  });
});
