import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { shownHost, splitDatabaseHosts } from '../kernel/database-hosts.js';
import { isHostUnusable, isPoolExhausted } from './database-error.js';
import { DatabaseFault } from './database-fault.js';
import { DEADLINES } from './deadlines.js';
import { poolConfig, type ConnectionPoolOptions } from './pool-config.js';
import { refuseUnreplicatedCommits } from './replicated-commits.js';

/** Milliseconds between two rounds through the list. */
const ROUND_PAUSE_MS = 100;

/**
 * Connections to the host of the list that is in use. If it cannot be reached, or does not accept writes, new connections
 * go to the next one, round and round, until a host is usable or the time for a connection is over. There is a pool of
 * the driver for one host at a time: moving on closes the unused connections to the former host at once, and the lent
 * ones on their release.
 */
export class HostPool {
  readonly #options: ConnectionPoolOptions;
  readonly #urls: readonly string[];
  readonly #requiresWritable: boolean;
  /** The pool that opened each connection. */
  readonly #origins = new WeakMap<pg.PoolClient, pg.Pool>();
  readonly #closing = new Set<Promise<void>>();
  #sendsAll = true;
  #pool: pg.Pool;
  #host = 0;
  #usedHost: number | undefined;
  #ended = false;
  #fault: DatabaseFault | undefined;

  /** @throws TypeError for an unknown value of `target_session_attrs`. */
  constructor(options: ConnectionPoolOptions) {
    const { urls, target = urls.length > 1 ? 'read-write' : 'any' } = splitDatabaseHosts(options.url);
    this.#options = options;
    this.#urls = urls;
    this.#requiresWritable = target === 'read-write' && !options.readOnly;
    this.#pool = this.#open();
  }

  get counts(): Pick<pg.Pool, 'idleCount' | 'totalCount' | 'waitingCount'> {
    return this.#pool;
  }

  /** Waits at most 2 s for a free or new connection. Rejects with the raw error of pg. */
  async connect(): Promise<pg.PoolClient> {
    if (this.#fault !== undefined) throw this.#fault;
    const end = performance.now() + DEADLINES.connect;
    for (let attempt = 1; ; attempt++) {
      const pool = this.#pool;
      try {
        return await pool.connect();
      } catch (error) {
        const isLast = performance.now() >= end || (attempt >= this.#urls.length && !isHostUnusable(error));
        if (this.#urls.length === 1 || isLast || this.#ended) throw error;
        // A pool that was replaced meanwhile says nothing about the host that is in use now.
        if (pool === this.#pool && !isPoolExhausted(error)) this.#moveOn();
        if (attempt % this.#urls.length === 0) await sleep(ROUND_PAUSE_MS);
      }
    }
  }

  /**
   * Closes the other unused connections to the host that the connection led to, if there are further hosts: they are as
   * stale, and each would cost a request its deadline.
   */
  distrust(connection: pg.PoolClient): void {
    if (this.#ended || this.#urls.length === 1) return;
    if (this.#origins.get(connection) === this.#pool) this.#replace();
  }

  /** Opens connections without the deadlines from now on. */
  dropParameters(): void {
    this.#sendsAll = false;
    this.#replace();
  }

  /** Closes idle connections now and lent ones on their release. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all([this.#pool.end(), ...this.#closing]);
  }

  #moveOn(): void {
    this.#host = (this.#host + 1) % this.#urls.length;
    this.#replace();
  }

  #replace(): void {
    const closing = this.#pool.end().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    this.#pool = this.#open();
  }

  #open(): pg.Pool {
    const host = this.#host;
    const target = {
      url: this.#urls[host] ?? '',
      isListed: this.#urls.length > 1,
      requiresWritable: this.#requiresWritable,
      sendsAll: this.#sendsAll,
    };
    const pool = new pg.Pool(this.#configOf(target));
    pool.on('error', (error) => {
      this.#options.logger.warn({ err: error }, 'An idle database connection was lost.');
    });
    pool.on('connect', (connection) => {
      this.#origins.set(connection, pool);
      // While a connection is lent the pool does not listen to it, and knex does not either. Without a listener
      // an 'error' event ends the process; the caller learns of the failure through its statement.
      connection.on('error', () => undefined);
      refuseUnreplicatedCommits(connection);
      this.#reportHost(host);
    });
    return pool;
  }

  /** Returns the options of a pool. If there are none, because a file is missing, `connect` throws the reason. */
  #configOf(target: Parameters<typeof poolConfig>[1]): pg.PoolConfig {
    this.#fault = undefined;
    try {
      return poolConfig(this.#options, target);
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      this.#fault = error;
      return {};
    }
  }

  #reportHost(host: number): void {
    if (this.#usedHost === host) return;
    if (this.#usedHost !== undefined) {
      const names = {
        host: shownHost(this.#urls[host] ?? ''),
        formerHost: shownHost(this.#urls[this.#usedHost] ?? ''),
      };
      this.#options.logger.warn(names, 'Another host of DATABASE_URL is used now: the former one failed.');
    }
    this.#usedHost = host;
  }
}
