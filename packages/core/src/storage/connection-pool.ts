import type pg from 'pg';
import { searchPathOf } from './client-config.js';
import { databaseErrorCode, isPreparedStatementLost, spoilsConnection } from './database-error.js';
import { DatabaseFault } from './database-fault.js';
import { DEADLINES } from './deadlines.js';
import { HostPool } from './host-pool.js';
import type { ConnectionPoolOptions } from './pool-config.js';

export type { ConnectionPoolOptions } from './pool-config.js';

export interface ConnectionCounts {
  /** Open and unused. */
  free: number;
  /** Open and in use, or being opened for a caller. */
  lent: number;
  /** Requests that wait for one. */
  waiting: number;
  max: number;
}

/** A connection that is lent out. knex names it by `__knexUid` in its events. */
export type Connection = pg.PoolClient & { __knexUid?: string };

/**
 * The process's connections to one database. It lends each to one caller at a time, never takes back a broken one, and
 * no failure of an idle or lent connection ends the process. The server receives the deadlines by startup parameters:
 * they cost no round trip, and no other client of a pooler inherits them, as it would inherit a `SET` in PgBouncer's
 * transaction mode. PgBouncer refuses such parameters (08P01) unless its `ignore_startup_parameters` drops them
 * silently. So: if they are refused, connections are opened without them; and the first connection is queried for
 * whether they apply. If not, `keepsDeadlines` is false, each transaction sets them with `SET LOCAL`, and a single
 * statement has the deadline that pg keeps on this side, after which its connection is closed.
 */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #lent = new Map<string, Connection>();
  readonly #pool: HostPool;
  #keepsDeadlines: boolean | undefined;
  #learning: Promise<boolean> | undefined;
  #lastId = 0;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
    this.#pool = new HostPool(options);
  }

  /** True if the server keeps the deadlines for every statement. Known once a connection was lent. */
  get keepsDeadlines(): boolean {
    return this.#keepsDeadlines === true;
  }

  /** Waits at most 2 s for a free or new connection. Rejects with the raw error of pg. */
  async acquire(): Promise<Connection> {
    this.#keepsDeadlines ??= await this.#learnDeadlinesOnce();
    const connection: Connection = await this.#pool.connect();
    connection.__knexUid = `connection-${++this.#lastId}`;
    this.#lent.set(connection.__knexUid, connection);
    return connection;
  }

  /** Takes a connection back; closes it if the error, or an unfinished transaction, has spoiled it. */
  release(connection: Connection, error?: unknown): void {
    if (connection.__knexUid !== undefined) this.#lent.delete(connection.__knexUid);
    const isIdle = connection.getTransactionStatus() === 'I';
    const isSpoiled = spoilsConnection(error);
    if (isSpoiled && !isPreparedStatementLost(error)) this.#pool.distrust(connection);
    connection.release(!isIdle || isSpoiled);
  }

  /**
   * Closes the named connection at once if the error has spoiled it. A ROLLBACK that would wait behind an
   * abandoned statement fails instead, and the pool does not take the connection back.
   */
  reportError(id: string | undefined, error: unknown): void {
    const connection = id === undefined ? undefined : this.#lent.get(id);
    if (!connection || !spoilsConnection(error)) return;
    if (!isPreparedStatementLost(error)) this.#pool.distrust(connection);
    void connection.end();
  }

  get counts(): ConnectionCounts {
    const { idleCount, totalCount, waitingCount } = this.#pool.counts;
    const { max } = this.#options;
    return { free: idleCount, lent: totalCount - idleCount, waiting: waitingCount, max };
  }

  /** Closes idle connections now and lent ones on their release. */
  async end(): Promise<void> {
    await this.#pool.end();
  }

  /** Shares one attempt among all who wait for the first connection, since its outcome may replace the pool. */
  #learnDeadlinesOnce(): Promise<boolean> {
    this.#learning ??= this.#learnDeadlines().finally(() => {
      this.#learning = undefined;
    });
    return this.#learning;
  }

  async #learnDeadlines(): Promise<boolean> {
    const connection = await this.#connectFirst();
    try {
      const { rows } = await connection.query<{ name: string; setting: string }>(
        "select name, setting from pg_settings where name in ('statement_timeout', 'DateStyle', 'search_path')",
      );
      const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
      this.#assertFormats(settings);
      const kept = Number(settings.get('statement_timeout')) === DEADLINES.statement;
      if (!kept) {
        this.#options.logger.info(
          {},
          'The database keeps no session settings; each transaction sets the deadlines.',
        );
      }
      connection.release();
      return kept;
    } catch (error) {
      connection.release(true);
      throw error;
    }
  }

  /** @throws DatabaseFault if a pooler has dropped a parameter without which statements mean something else. */
  #assertFormats(settings: ReadonlyMap<string, string>): void {
    const { schema } = this.#options;
    const style = settings.get('DateStyle') ?? '';
    if (!style.startsWith('ISO')) throw droppedParameter('DateStyle', style, 'ISO');
    const path = settings.get('search_path') ?? '';
    if (schema !== undefined && path !== searchPathOf(schema) && path.split(',')[0]?.trim() !== schema) {
      throw droppedParameter('search_path', path, searchPathOf(schema));
    }
  }

  async #connectFirst(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      if (!isRefusedParameter(error)) throw error;
      this.#pool.dropParameters();
      return this.#pool.connect();
    }
  }
}

const droppedParameter = (name: string, found: string, wanted: string): DatabaseFault =>
  new DatabaseFault(
    `${name} is ${found}, although the connection asked for ${wanted}: a pooler drops it`,
    `let the pooler pass ${name} on, or set it for the user of DATABASE_URL: ALTER ROLE … SET ${name} = ${wanted}`,
  );

function isRefusedParameter(error: unknown): boolean {
  return (
    databaseErrorCode(error) === '08P01' &&
    error instanceof Error &&
    error.message.includes('startup parameter')
  );
}
