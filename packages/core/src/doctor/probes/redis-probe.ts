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
  /** The reason that the commands of the service fail; undefined if they work. */
  unusable: string | undefined;
}

export interface RedisNodeFacts {
  version: string;
  /** `master` or `slave`, as Redis names it. */
  role: string;
  evictionPolicy: string;
  usedBytes: number;
  /** 0 means no limit. */
  limitBytes: number;
}

/** Milliseconds to wait for a connection. */
const CONNECTION_TIMEOUT_MS = 3_000;

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

/** Rejects with the error of the first attempt: commands would only report that there is no connection. */
async function connected(client: RedisClient): Promise<void> {
  if (client.status === 'ready') return;
  try {
    await once(client, 'ready', { signal: AbortSignal.timeout(CONNECTION_TIMEOUT_MS) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'AbortError')
      throw new Error(`no connection within ${CONNECTION_TIMEOUT_MS / 1000} s`, { cause: error });
    // If no node of a cluster answered, this is the error of the last one.
    throw 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;
  }
}

const mastersOf = (client: RedisClient): Redis[] =>
  client instanceof Cluster ? client.nodes('master') : [client];

async function nodeFacts(node: Redis): Promise<RedisNodeFacts> {
  const values = new Map(
    (await node.info()).split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)] as const;
    }),
  );
  return {
    version: values.get('redis_version') ?? '0',
    role: values.get('role') ?? 'unknown',
    evictionPolicy: values.get('maxmemory_policy') ?? 'unknown',
    usedBytes: Number(values.get('used_memory') ?? 0),
    limitBytes: Number(values.get('maxmemory') ?? 0),
  };
}

/** Runs the commands of the service under a key that is deleted at once. */
async function tryOut(store: RedisEphemeralStore): Promise<string | undefined> {
  const key = `doctor:${randomUUID()}`;
  try {
    await store.increment(key, 5);
    await store.set(key, 'value', 5);
    return (await store.getAndDelete(key)) === 'value' ? undefined : 'a written value was missing';
  } catch (error) {
    return failureReason(error);
  }
}
