import { AuthError } from '../kernel/auth-error.js';
import { withDeadline } from '../kernel/deadline.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { ttlMs, type EphemeralStore } from './ephemeral-store.js';
import { COMMAND_TIMEOUT, createRedisClient, type RedisClient } from './redis-client.js';
import { isRedisRefusal } from './redis-refusal.js';
import { removeRowContents } from './row-contents.js';

/** One script, so that no counter is left without an expiry. */
const INCREMENT = `
local sum = redis.call('INCR', KEYS[1])
if sum == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return sum`;

/** Without an expected value the key must be absent: Lua reads an absent key as false. */
const COMPARE_AND_SET = `
if redis.call('GET', KEYS[1]) ~= (ARGV[3] or false) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** Milliseconds the first operations wait for the first connection. */
const FIRST_CONNECTION_TIMEOUT = 1_000;

const UNAVAILABLE = 'Redis is not available at the moment.';

/** Waits for an answer. A command of the service, and not PING: an account may be allowed no others. */
const answerOf = (redis: RedisClient): Promise<unknown> => redis.get('ping');

/**
 * The store in Redis: one server, Sentinel or Cluster. Each write touches one key. It connects in the
 * background; while Redis is unavailable operations fail after half a second at most, and soon at once.
 */
export class RedisEphemeralStore implements EphemeralStore {
  readonly kind = 'redis';
  /** The connection itself, for libraries that need one. Run their commands by `execute`. */
  readonly client: RedisClient;
  readonly #options;
  readonly #breaker: CircuitBreaker;
  #firstConnection: Promise<void> | undefined;
  #isUnavailable = false;
  /** The reason for which Redis refuses to let this account in. */
  #refusal: Error | undefined;
  #closing: Promise<void> | undefined;

  /** Throws TypeError for a URL of an unknown form; never waits for Redis. */
  constructor(options: {
    /** The URL of Redis; see `createRedisClient` for its forms. */
    url: string;
    /** Prefix of every key, also of those that other users of `client` name. */
    keyPrefix: string;
    logger: Logger;
    observer: Observer;
  }) {
    this.#options = options;
    this.client = createRedisClient(options.url, options.keyPrefix);
    this.#breaker = new CircuitBreaker({
      failures: 1,
      probeInterval: 250,
      probe: () => withDeadline(answerOf(this.client), COMMAND_TIMEOUT, UNAVAILABLE),
    });
    this.#firstConnection = this.#waitForFirstConnection();
    this.#watchConnection();
  }

  get isCircuitOpen(): boolean {
    return this.#breaker.isOpen;
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.execute((redis) => redis.get(key))) ?? undefined;
  }

  /** Reads by one command; in a cluster by one for each key, since the keys may be on different nodes. */
  async getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    const values = await this.execute((redis) =>
      redis.isCluster ? Promise.all(keys.map((key) => redis.get(key))) : redis.mget([...keys]),
    );
    return values.map((value) => value ?? undefined);
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    const ttl = ttlMs(ttlSeconds);
    await this.execute((redis) => redis.set(key, value, 'PX', ttl));
  }

  async setIfAbsent(key: string, value: string, ttlSeconds: number): Promise<boolean> {
    const ttl = ttlMs(ttlSeconds);
    return (await this.execute((redis) => redis.set(key, value, 'PX', ttl, 'NX'))) === 'OK';
  }

  async compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlSeconds: number,
  ): Promise<boolean> {
    const values = [value, ttlMs(ttlSeconds), ...(expected === undefined ? [] : [expected])];
    return (await this.execute((redis) => redis.eval(COMPARE_AND_SET, 1, key, ...values))) === 1;
  }

  async getAndDelete(key: string): Promise<string | undefined> {
    return (await this.execute((redis) => redis.getdel(key))) ?? undefined;
  }

  async increment(key: string, ttlSeconds: number): Promise<number> {
    const ttl = ttlMs(ttlSeconds);
    return Number(await this.execute((redis) => redis.eval(INCREMENT, 1, key, ttl)));
  }

  /** Deletes the keys with one command each, sent together: in a cluster the keys may be on different nodes. */
  async delete(...keys: string[]): Promise<void> {
    await this.execute((redis) => Promise.all(keys.map((key) => redis.del(key))));
  }

  publish(channel: string): void {
    if (this.#breaker.isOpen) return;
    this.client.publish(this.channelOf(channel), '').catch(() => undefined);
  }

  /** A subscribed connection can do nothing else, so each subscription has its own. It survives outages. */
  subscribe(channel: string, listener: () => void): () => void {
    const connection = createRedisClient(this.#options.url, '');
    connection.on('error', () => undefined);
    connection.on('ready', () => {
      connection.subscribe(this.channelOf(channel)).catch(() => undefined);
    });
    connection.on('message', listener);
    return () => connection.disconnect();
  }

  async ping(timeoutMs: number): Promise<void> {
    await withDeadline(
      this.execute((redis) => answerOf(redis)),
      timeoutMs,
      UNAVAILABLE,
    );
  }

  /**
   * Runs work on the client with the store's deadline and circuit breaker; throws `service_unavailable` on a
   * failure. A rejection that is not an Error (a limiter's verdict) is an answer and is thrown unchanged.
   */
  async execute<T>(work: (redis: RedisClient) => Promise<T>): Promise<T> {
    if (this.#firstConnection) await this.#firstConnection;
    if (this.#breaker.isOpen) throw this.#openCircuitError();
    try {
      // commandTimeout alone is not enough: a pipelined command first waits for the pipeline before it.
      const result = await withDeadline(work(this.client), COMMAND_TIMEOUT, UNAVAILABLE);
      this.#breaker.succeeded();
      return result;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#breaker.stop();
    try {
      await withDeadline(this.client.quit(), COMMAND_TIMEOUT, UNAVAILABLE);
    } catch {
      // The connection is lost or was never made, so there is no session to end.
    }
    this.client.disconnect();
  }

  /** Returns the name of a channel in Redis: ioredis puts the prefix before keys only. */
  channelOf(channel: string): string {
    return `channel:${this.#options.keyPrefix}${channel}`;
  }

  #openCircuitError(): AuthError {
    this.#options.observer.storeFailed();
    return AuthError.unavailable(UNAVAILABLE, this.#refusal);
  }

  /**
   * Returns the error of a failed operation. Only a timeout counts for the circuit: it costs every caller the
   * whole deadline. A reply of Redis, even an error, shows that it works; a lost connection fails at once,
   * and may be that of one cluster node.
   */
  #failure(error: unknown): unknown {
    if (!(error instanceof Error)) {
      this.#breaker.succeeded();
      return error;
    }
    removeRowContents(error);
    this.#options.observer.storeFailed();
    if (error.name === 'ReplyError') this.#breaker.succeeded();
    if (AuthError.is(error) || error.message === 'Command timed out') this.#breaker.failed();
    return AuthError.is(error) ? error : AuthError.unavailable(UNAVAILABLE, this.#refusal ?? error);
  }

  /** Waits until the first attempt to connect has an outcome: else the first requests after a start would fail. */
  #waitForFirstConnection(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#firstConnection = undefined;
        resolve();
      };
      const timer = setTimeout(settle, FIRST_CONNECTION_TIMEOUT);
      timer.unref();
      for (const outcome of ['ready', 'close', 'end']) this.client.once(outcome, settle);
    });
  }

  /**
   * Logs one line when Redis becomes unavailable and one when it recovers, whatever ioredis reports in
   * between.
   */
  #watchConnection(): void {
    this.client.on('error', (error: unknown) => this.#connectionLost(error));
    this.client.on('close', () => this.#connectionLost());
    this.client.on('ready', () => {
      this.#breaker.succeeded();
      this.#refusal = undefined;
      if (this.#isUnavailable) this.#options.logger.info({}, 'Redis is available again.');
      this.#isUnavailable = false;
    });
  }

  #connectionLost(error?: unknown): void {
    if (isRedisRefusal(error)) this.#refusal = error;
    if (this.#isUnavailable || this.#closing) return;
    this.#isUnavailable = true;
    removeRowContents(error);
    this.#options.logger.warn(
      error === undefined ? {} : { err: error },
      this.#refusal ? 'Redis refuses the account of REDIS_URL.' : 'Redis is unavailable; reconnecting.',
    );
  }
}
