import createKnex, { type Knex } from 'knex';
import type { Logger } from '../kernel/logger.js';
import type { ConnectionPool } from './connection-pool.js';
import { KnexPool } from './knex-pool.js';

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
