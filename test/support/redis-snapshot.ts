import { Redis } from 'ioredis';
import { expect } from 'vitest';
import type { TestService } from './service.js';

/** Some keys of a service's own Redis as they were at one moment, as an attacker with write access holds them. */
export class RedisSnapshot {
  readonly values: ReadonlyMap<string, string>;
  readonly #url: string;

  private constructor(url: string, values: Map<string, string>) {
    this.#url = url;
    this.values = values;
  }

  /** @param pattern as Redis knows it; at least one key must match. */
  static async take({ redis }: TestService, pattern: string): Promise<RedisSnapshot> {
    const url = redis?.url ?? '';
    const values = await withRedis(url, async (client) => {
      const keys = await client.keys(pattern);
      return Promise.all(keys.map(async (key) => [key, (await client.get(key)) ?? ''] as const));
    });
    expect(values.length, `keys like ${pattern}`).toBeGreaterThan(0);
    return new RedisSnapshot(url, new Map(values));
  }

  /** Writes all values back, changed by `change`. */
  async restore(change: (value: string, key: string) => string = (value) => value): Promise<void> {
    await withRedis(this.#url, async (client) => {
      for (const [key, value] of this.values) await client.set(key, change(value, key), 'EX', 60);
    });
  }
}

async function withRedis<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}
