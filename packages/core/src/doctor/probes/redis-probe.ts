import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Cluster, type Redis } from 'ioredis';
import { silentLogger } from '../../kernel/logger.js';
import { unobserved } from '../../kernel/observer.js';
import type { RedisSettings } from '../../settings/settings.js';
import { RedisEphemeralStore } from '../../storage/ephemeral-store.redis.js';
import type { RedisClient } from '../../storage/redis-client.js';
import { failureReason } from '../failure-reason.js';

export interface RedisFacts {
  milliseconds: number;
  /** One server, or the masters of a cluster. */
  nodes: RedisNodeFacts[];
  /** Why it could not be written to, read and taken from; undefined when it could. */
  unusable: string | undefined;
}

export interface RedisNodeFacts {
  version: string;
  /** `master` or `slave`, as Redis calls it. */
  role: string;
  evictionPolicy: string;
  usedBytes: number;
  /** 0 is no limit. */
  limitBytes: number;
}

/** Milliseconds to wait for a connection. */
const TIMEOUT_MS = 3_000;

export async function probeRedis(url: string, { keyPrefix }: RedisSettings): Promise<RedisFacts> {
  const store = new RedisEphemeralStore({ url, keyPrefix, logger: silentLogger, observer: unobserved });
  try {
    await connected(store.client);
    const started = performance.now();
    await store.client.ping();
    const milliseconds = performance.now() - started;
    const nodes = await Promise.all(mastersOf(store.client).map(nodeFacts));
    return { milliseconds, nodes, unusable: await tryOut(store) };
  } finally {
    await store.close();
  }
}

/** Rejects with what the first attempt met: commands would only say that there is no connection. */
async function connected(client: RedisClient): Promise<void> {
  if (client.status === 'ready') return;
  try {
    await once(client, 'ready', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'AbortError')
      throw new Error(`no connection within ${TIMEOUT_MS / 1000} s`, { cause: error });
    // Of a cluster no node answered; this is what the last one met.
    throw 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;
  }
}

const mastersOf = (client: RedisClient): Redis[] =>
  client instanceof Cluster ? client.nodes('master') : [client];

async function nodeFacts(node: Redis): Promise<RedisNodeFacts> {
  const told = new Map(
    (await node.info()).split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)] as const;
    }),
  );
  return {
    version: told.get('redis_version') ?? '0',
    role: told.get('role') ?? 'unknown',
    evictionPolicy: told.get('maxmemory_policy') ?? 'unknown',
    usedBytes: Number(told.get('used_memory') ?? 0),
    limitBytes: Number(told.get('maxmemory') ?? 0),
  };
}

/** Does what the service does with it, under a key that is gone at once. */
async function tryOut(store: RedisEphemeralStore): Promise<string | undefined> {
  const key = `doctor:${randomUUID()}`;
  try {
    await store.increment(key, 5);
    await store.set(key, 'value', 5);
    return (await store.getAndDelete(key)) === 'value' ? undefined : 'what was written was not there';
  } catch (error) {
    return failureReason(error);
  }
}
