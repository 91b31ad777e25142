import type { Knex } from 'knex';
import type { Connection, ConnectionPool } from './connection-pool.js';

/**
 * Our pool in the interface by which knex borrows connections. knex recognises it by the three counting
 * methods; without them it would take it for a pool of a driver. Passing the `pg.Pool` itself would also
 * work, but errors on the connections knex holds would have no listener, and half-dead ones would be returned
 * as healthy.
 */
export class KnexPool implements Knex.TarnPoolLike {
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
