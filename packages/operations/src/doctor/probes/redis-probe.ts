import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Cluster, type Redis } from 'ioredis';
import { silentLogger } from '@latchkey/core/internal/kernel/logger';
import { unobserved } from '@latchkey/core/internal/kernel/observer';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import { RedisEphemeralStore } from '@latchkey/core/internal/storage/ephemeral-store.redis';
import type { RedisClient } from '@latchkey/core/internal/storage/redis-client';
import { isRedisRefusal, refusedCommand } from '@latchkey/core/internal/storage/redis-refusal';
import { failureReason } from '../failure-reason.js';

export interface RedisFacts {
  milliseconds: number;
  /** One server, or the masters of a cluster; empty if the account may not use INFO. */
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

export async function probeRedis(url: string, { keyPrefix }: Settings['redis']): Promise<RedisFacts> {
  const store = new RedisEphemeralStore({ url, keyPrefix, logger: silentLogger, observer: unobserved });
  try {
    await connected(store.client);
    const started = performance.now();
    await store.client.get('doctor').catch(unlessRefused);
    const milliseconds = performance.now() - started;
    const nodes = await Promise.all(mastersOf(store.client).map(nodeFacts)).catch(unlessRefused);
    return { milliseconds, nodes: nodes ?? [], unusable: await tryOut(store) };
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

/** The missing right is found by `tryOut`. */
function unlessRefused(error: unknown): undefined {
  if (!isRedisRefusal(error)) throw error;
}

/** Runs the commands of the service under a key that is deleted at once, and names those that are refused. */
async function tryOut(store: RedisEphemeralStore): Promise<string | undefined> {
  const key = `doctor:${randomUUID()}`;
  const attempts = [
    () => store.increment(key, 5),
    () => store.set(key, 'value', 5),
    () => store.get(key),
    () => store.getMany([key]),
    () => store.compareAndSet(key, 'value', 'other', 5),
    async () => {
      if ((await store.getAndDelete(key)) !== 'other') throw new Error('a written value was missing');
    },
    () => store.delete(key),
    () => store.execute((redis) => redis.eval(COUNT, 1, key)),
    () => store.execute((redis) => redis.publish(store.channelOf('doctor'), '')),
  ];
  const failures: unknown[] = [];
  for (const attempt of attempts) await attempt().catch((error: unknown) => failures.push(error));
  const refused = failures.filter(isRedisRefusal).map((error) => refusedCommand(causeOf(error)));
  if (refused.length > 0) return `the account may not use ${[...new Set(refused)].join(', ')}`;
  return failures.length > 0 ? failureReason(failures[0]) : undefined;
}

/** The commands by which the limits count. */
const COUNT = `
redis.call('SET', KEYS[1], 0, 'EX', 5, 'NX')
redis.call('INCRBY', KEYS[1], 1)
redis.call('PTTL', KEYS[1])
return redis.call('EXPIRE', KEYS[1], 5)`;

const causeOf = (error: Error): Error => (error.cause instanceof Error ? error.cause : error);
