import { Cluster, Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis | Cluster;

/** Milliseconds after which a command is abandoned. */
export const COMMAND_TIMEOUT = 500;

/** The options of ioredis, which types a client by how it shows replies. */
type ClientOptions = RedisOptions & { replyMapping: 'legacy' };

interface RedisAddress {
  tls: boolean;
  hosts: { host: string; port: number }[];
  username?: string;
  password?: string;
  /** The number of the database. */
  database: number;
  /** The name of the master, for Sentinel. */
  master: string;
  sentinel: boolean;
}

const FORM =
  /^(?<scheme>rediss?(?:\+sentinel)?):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^/?#]*)(?:\/(?<database>\d+))?)?$/;

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
  const address = parseRedisUrl(url);
  if (address.sentinel) return new Redis(sentinelOptions(address, keyPrefix));
  if (address.hosts.length > 1) return createCluster(address, keyPrefix);
  return new Redis({ ...commonOptions(address), ...address.hosts[0], db: address.database, keyPrefix });
}

/** Parses the URL. A comma-separated list may repeat the scheme: `redis://a:6379,redis://b:6379`. */
function parseRedisUrl(url: string): RedisAddress {
  const parts = FORM.exec(url.trim().replaceAll(/,\s*rediss?:\/\//g, ','))?.groups;
  if (!parts)
    throw new TypeError(
      'The Redis URL has none of the known forms. Write it as redis://localhost:6379, for example.',
    );
  const { scheme = '', user, password, hosts = '', path = '', database } = parts;
  const sentinel = scheme.endsWith('+sentinel');
  if (sentinel ? path === '' : database !== undefined || !/^\d*$/.test(path)) {
    throw new TypeError(
      'The Redis URL ends in the number of a database or, for Sentinel, the name of a master.',
    );
  }
  return {
    tls: scheme.startsWith('rediss'),
    sentinel,
    database: Number(sentinel ? (database ?? 0) : path),
    master: path,
    hosts: hosts.split(',').map((host) => parseHost(host.trim(), sentinel ? 26_379 : 6_379)),
    ...(user ? { username: decodeURIComponent(user) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  };
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text);
  if (match?.[1] === undefined)
    throw new TypeError('A host in the Redis URL is invalid. Write a host name, an address or host:port.');
  return { host: match[1].replaceAll(/[[\]]/g, ''), port: Number(match[2] ?? defaultPort) };
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
