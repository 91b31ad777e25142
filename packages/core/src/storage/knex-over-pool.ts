import createKnex, { type Knex } from 'knex';
import type { Logger } from '../kernel/logger.js';
import type { Connection, ConnectionPool } from './connection-pool.js';

/**
 * Our pool in the interface by which knex borrows connections. knex recognises it by the three counting
 * methods; without them it would take it for a pool of a driver. Passing the `pg.Pool` itself would also
 * work, but errors on the connections knex holds would have no listener, and half-dead ones would be returned
 * as healthy.
 */
class KnexPool implements Knex.TarnPoolLike {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  acquire(): { promise: Promise<Connection> } {
    return { promise: this.#pool.acquire() };
  }

  release(connection: Connection): boolean {
    this.#pool.release(connection);
    return true;
  }

  /** Does nothing: the owner of the pool ends it. */
  destroy(): Promise<void> {
    return Promise.resolve();
  }

  numFree(): number {
    return this.#pool.counts.free;
  }

  numUsed(): number {
    return this.#pool.counts.lent;
  }

  numPendingAcquires(): number {
    return this.#pool.counts.waiting;
  }
}

/**
 * Returns a knex over the pool. Its errors reach the pool, which closes connections that they spoil, and its log is ours.
 */
export function createKnexOver(pool: ConnectionPool, logger: Logger): Knex {
  const knex = createKnex({
    client: 'pg',
    // Saves the `select version()` that knex sends otherwise.
    version: '15',
    connectionPool: new KnexPool(pool),
    // False keeps the values, among them password hashes, out of error messages.
    compileSqlOnError: false,
    log: knexLog(logger),
  });
  knex.on('query-error', (error: unknown, { __knexUid }: { __knexUid?: string }) => {
    pool.reportError(__knexUid, error);
  });
  return knex;
}

/**
 * Returns a log for knex, which prints to the console by default. A failed acquire also reaches the caller,
 * as an error.
 */
function knexLog(logger: Logger): Knex.Logger {
  const warn = (message: unknown): void => {
    logger[String(message).startsWith('Acquire connection error') ? 'debug' : 'warn'](
      {},
      `knex: ${String(message)}`,
    );
  };
  return {
    warn,
    error: (message: unknown) => logger.error({}, `knex: ${String(message)}`),
    debug: (message: unknown) => logger.debug({}, `knex: ${String(message)}`),
    deprecate: warn,
  };
}
