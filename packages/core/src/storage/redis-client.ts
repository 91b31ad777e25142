import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { readRedisAddress, type RedisAddress } from '../kernel/redis-address.js';
import { isRedisRefusal } from './redis-refusal.js';

export type RedisClient = Redis | Cluster;

/** Milliseconds after which a command is abandoned. */
export const COMMAND_TIMEOUT = 500;

/** The options of ioredis, which types a client by how it shows replies. */
type ClientOptions = RedisOptions & { replyMapping: 'legacy' };

/**
 * Returns a client that connects in the background and keeps trying. The URL has one of these forms; `rediss`
 * in place of `redis` means TLS, and user and password may precede the first host.
 *
 * - `redis://host:port/database`: one server
 * - `redis://host:port,host:port`: the nodes of a Redis Cluster
 * - `redis+sentinel://host:port,host:port/name`: the Sentinels that watch the master of that name; `/name/1` for a database
 *
 * Throws TypeError for anything else.
 */
export function createRedisClient(url: string, keyPrefix: string): RedisClient {
  const address = addressOf(url);
  if (address.sentinel) return withQuietCheck(new Redis(sentinelOptions(address, keyPrefix)));
  if (address.hosts.length > 1) return createCluster(address, keyPrefix);
  const options = { ...commonOptions(address), ...address.hosts[0], db: address.database, keyPrefix };
  return withQuietCheck(new Redis(options));
}

function addressOf(url: string): RedisAddress {
  try {
    return readRedisAddress(url);
  } catch (error) {
    throw new TypeError(`The Redis URL is invalid: ${error instanceof Error ? error.message : ''}.`, {
      cause: error,
    });
  }
}

/**
 * Returns the client after it has learned to connect without INFO: it asks whether the server is still loading, and writes to the
 * console if the account may not ask.
 */
function withQuietCheck(client: Redis): Redis {
  const original = client.info.bind(client);
  const ask = (): Promise<string> => original();
  const info = async (done?: (error: unknown, text?: string) => void): Promise<string> => {
    const answer = await ask().catch((error: unknown) => {
      if (done && isRedisRefusal(error)) return '';
      done?.(error);
      throw error;
    });
    done?.(null, answer);
    return answer;
  };
  return Object.assign(client, { info });
}

/**
 * Returns the options of every client. No operation waits for an unavailable Redis: no queue of commands, no
 * second attempt, a short deadline for each. A command whose reply got lost is not sent again, since it may
 * have been executed.
 */
function commonOptions(address: RedisAddress): ClientOptions {
  return {
    replyMapping: 'legacy',
    connectTimeout: 1_000,
    commandTimeout: COMMAND_TIMEOUT,
    // Closes a connection on which no reply comes, so that a new one is tried.
    socketTimeout: 3_000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    enableAutoPipelining: true,
    // It is a batch already: in a pipeline it would wait for the reply to the one before.
    autoPipeliningIgnoredCommands: ['mget'],
    keepAlive: 10_000,
    retryStrategy: reconnectDelay,
    // After a failover the name may still lead to the old master, which is a replica now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
  };
}

function sentinelOptions(address: RedisAddress, keyPrefix: string): ClientOptions {
  return {
    ...commonOptions(address),
    keyPrefix,
    db: address.database,
    name: address.master,
    sentinels: address.hosts,
    sentinelRetryStrategy: reconnectDelay,
    sentinelCommandTimeout: COMMAND_TIMEOUT,
    enableTLSForSentinelMode: address.tls,
  };
}

function createCluster(address: RedisAddress, keyPrefix: string): Cluster {
  return new Cluster(address.hosts, {
    keyPrefix,
    redisOptions: commonOptions(address),
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    slotsRefreshTimeout: 1_000,
    clusterRetryStrategy: reconnectDelay,
    clusterNodeRetryStrategy: reconnectDelay,
  });
}

/** Returns the milliseconds before the next attempt: 50, 100, …, at most 1000. */
function reconnectDelay(attempt: number): number {
  return Math.min(attempt * 50, 1_000);
}
