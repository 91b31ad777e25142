import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { withDeadline } from '../kernel/deadline.js';
import { silentLogger, type Logger } from '../kernel/logger.js';
import type { Tracer } from '../kernel/tracer.js';
import { CommitWatch } from './commit-watch.js';
import {
  ConnectionPool,
  type Connection,
  type ConnectionCounts,
  type ConnectionPoolOptions,
} from './connection-pool.js';
import { isPreparedStatementLost, isTransactionRetryable, mapDatabaseError } from './database-error.js';
import { SET_LOCAL_DEADLINES, SET_NO_DEADLINES } from './deadlines.js';
import { createKnexOver } from './knex-over-pool.js';
import { removeRowContents } from './row-contents.js';
import { StatementSpans } from './statement-spans.js';
import { statement, type Statement } from './statement.js';

export { batchOf, idBatch, statement, type Statement } from './statement.js';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** Connections of this process, at least 1. */
  poolMax: number;
  /** False for a PgBouncer that cannot hold named prepared statements (before 1.21). */
  preparedStatements: boolean;
  /** Shown in `pg_stat_activity`. Defaults to `latchkey`. */
  applicationName?: string;
  /** True: every statement runs in a read-only transaction. */
  readOnly?: boolean;
  /** The schema of the tables. Undefined leaves the search path to the server. */
  schema?: string | undefined;
  logger?: Logger;
  /** Records each statement as a span. */
  tracer?: Tracer | undefined;
}

export type Transaction = Knex.Transaction;

/** Work that follows a commit, such as a mark in Redis or the wake of a worker. */
type Effect = () => void | Promise<void>;

interface OpenTransaction {
  readonly connection: Connection;
  /** True if its hot statements are prepared. */
  readonly prepares: boolean;
  /** Work to do after the commit. */
  readonly afterCommit: Effect[];
}

/** Maximum number of runs of a statement or a transaction that deadlocks, cannot be serialized or was prepared and lost. */
const ATTEMPTS = 3;

/** A query instead of `SHOW`, so that it is prepared like the others and PgBouncer passes it on. */
const PING = statement('ping', "select current_setting('transaction_read_only') as read_only");

/**
 * One PostgreSQL database: one pool of connections for prepared hot statements and for knex. Failures are thrown as
 * `mapDatabaseError` maps them. Deadlines: 2 s for a connection, 4 s for a statement, 3 s for a lock, 10 s idle in a
 * transaction.
 */
export class Database {
  readonly #poolOptions: ConnectionPoolOptions;
  readonly #pool: ConnectionPool;
  readonly #knex: Knex;
  readonly #preparedStatements: boolean;
  readonly #readOnly: boolean;
  readonly #logger: Logger;
  readonly #spans: StatementSpans;
  #hasLostStatements = false;
  readonly #open = new WeakMap<Transaction, OpenTransaction>();
  #closing: Promise<void> | undefined;

  /** Opens no connection: the first statement connects. */
  constructor(options: DatabaseOptions) {
    this.#logger = options.logger ?? silentLogger;
    this.#spans = new StatementSpans(options.tracer);
    this.#readOnly = options.readOnly ?? false;
    this.#preparedStatements = options.preparedStatements;
    this.#poolOptions = {
      url: options.url,
      max: options.poolMax,
      applicationName: options.applicationName ?? 'latchkey',
      readOnly: this.#readOnly,
      schema: options.schema,
      logger: this.#logger,
    };
    this.#pool = new ConnectionPool(this.#poolOptions);
    this.#knex = createKnexOver(this.#pool, this.#logger);
    this.#spans.follow(this.#knex);
  }

  /**
   * Runs a hot statement, prepared by name on each connection; unnamed when `preparedStatements` is false. Outside a
   * transaction it is retried like one.
   */
  async query<Row extends object>(
    hot: Statement,
    values: readonly unknown[],
    trx?: Transaction,
  ): Promise<Row[]> {
    if (!trx) return this.queryOnConnection<Row>(hot, () => values);
    const open = this.#open.get(trx);
    if (!open) throw new TypeError('query: this transaction was not begun by this database');
    const { connection, prepares } = open;
    try {
      return await this.#spans.statement(hot.name, () => this.#send<Row>(connection, hot, values, prepares));
    } catch (error) {
      throw mapDatabaseError(error);
    }
  }

  /**
   * Like `query`, but reads the values once a connection is held, right before the statement is sent: for
   * values that are durations and must not contain the wait for a connection. Reads them again for each
   * attempt.
   */
  async queryOnConnection<Row extends object>(
    hot: Statement,
    makeValues: () => readonly unknown[],
  ): Promise<Row[]> {
    return this.#spans.statement(hot.name, () =>
      this.#retried((prepares) => {
        const send = (held: Connection) => this.#send<Row>(held, hot, makeValues(), prepares);
        return this.#readOnly
          ? this.#transact((_trx, held) => send(held), prepares)
          : this.withConnection(send);
      }),
    );
  }

  /** Runs one statement of the app on the connection of a transaction. @throws the unchanged error of pg. */
  async queryWithin<Row extends object>(
    trx: Transaction,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const open = this.#open.get(trx);
    if (!open) throw new TypeError('queryWithin: this transaction was not begun by this database');
    // The extended protocol takes one statement, also without values.
    const config = { text, values: [...values], queryMode: 'extended' as const };
    return (await open.connection.query<Row>(config)).rows;
  }

  /** Runs a knex query, inside `trx` when given. Outside a transaction it is retried like one: one write at most. */
  async run<T>(work: (knex: Knex) => PromiseLike<T>, trx?: Transaction): Promise<T> {
    if (!trx) {
      return this.#retried((prepares) =>
        this.#readOnly ? this.#transact(work, prepares) : work(this.#knex),
      );
    }
    try {
      return await work(trx);
    } catch (error) {
      throw mapDatabaseError(error);
    }
  }

  /**
   * Runs the work in one READ COMMITTED transaction and commits. The work may run three times, so it must
   * change the database only.
   */
  async transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    return this.#spans.transaction(() => this.#retried((prepares) => this.#transact(work, prepares)));
  }

  /**
   * Runs the work once the transaction has committed and returned its connection: begun in the order of these calls, awaited
   * before the transaction resolves, never after a rollback, and once if the transaction is retried. Without a transaction the
   * statement has committed by itself, and the work begins at once. An error of the work is logged: the change is made, and no
   * caller may take it for failed.
   */
  afterCommit(trx: Transaction | undefined, work: Effect): void {
    if (!trx) return void this.#runEffects([work]);
    const open = this.#open.get(trx);
    if (!open) throw new TypeError('afterCommit: this transaction was not begun by this database');
    open.afterCommit.push(work);
  }

  /**
   * Returns whether the database accepts writes; a standby, a demoted primary and a read-only pool do not.
   * Rejects with `service_unavailable` if it does not answer within the time.
   */
  async ping(timeoutMs: number): Promise<{ isReadOnly: boolean }> {
    const answer = this.query<{ read_only: string }>(PING, []);
    const late = 'The database did not answer in time.';
    const [row] = await withDeadline(answer, timeoutMs, late);
    return { isReadOnly: row?.read_only === 'on' };
  }

  /**
   * Lends a bare connection, for work that neither knex nor a statement can do. Rejects with the unchanged
   * error of pg, but without the contents of rows.
   */
  async withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#pool.acquire();
    let failure: unknown;
    try {
      return await work(connection);
    } catch (error) {
      removeRowContents(error);
      failure = error;
      throw error;
    } finally {
      this.#pool.release(connection, failure);
    }
  }

  /**
   * Lends a connection beside the pool and without deadlines, and closes it: for statements that take long and refuse a
   * transaction, such as CREATE INDEX CONCURRENTLY. Behind a pooler the deadlines of the account apply. Rejects like
   * `withConnection`.
   */
  async withOwnConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const pool = new ConnectionPool({ ...this.#poolOptions, max: 1 });
    let failure: unknown;
    try {
      const connection = await pool.acquire();
      try {
        if (pool.keepsDeadlines) await connection.query(SET_NO_DEADLINES);
        return await work(connection);
      } catch (error) {
        removeRowContents(error);
        failure = error;
        throw error;
      } finally {
        pool.release(connection, failure);
      }
    } finally {
      await pool.end();
    }
  }

  /** The schema that the settings name. */
  get schema(): string | undefined {
    return this.#poolOptions.schema;
  }

  /** The current counts of this process's connections. */
  get connections(): ConnectionCounts {
    return this.#pool.counts;
  }

  /**
   * Waits for the connections that are in use, then closes all of them. knex forgets the pool at once and would return no connection
   * to it, so it is last.
   */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end().then(() => this.#knex.destroy());
    return this.#closing;
  }

  /**
   * Retries the work after a serialization failure (40001) or a deadlock (40P01), and without prepared statements after one was
   * lost, because a migration changed a table under it or a pooler the server beneath: three runs at most.
   */
  async #retried<T>(work: (prepares: boolean) => PromiseLike<T>): Promise<T> {
    let prepares = this.#preparedStatements;
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(prepares);
      } catch (error) {
        const isLost = isPreparedStatementLost(error);
        const isRetryable = isLost || isTransactionRetryable(error);
        if (attempt === ATTEMPTS || !isRetryable) throw mapDatabaseError(error);
        this.#logger.debug({ err: error, attempt }, 'A statement or transaction is retried.');
        if (isLost) prepares = false;
        else await sleep(Math.random() * 20 * attempt);
      }
    }
  }

  async #transact<T>(
    work: (trx: Transaction, connection: Connection) => PromiseLike<T>,
    prepares: boolean,
  ): Promise<T> {
    const afterCommit: Effect[] = [];
    const result = await this.withConnection((connection) =>
      this.#commit(work, { connection, prepares, afterCommit }),
    );
    await this.#runEffects(afterCommit);
    return result;
  }

  async #runEffects(effects: readonly Effect[]): Promise<void> {
    // Each starts in the turn of the one before: a slow store does not keep a worker asleep.
    const outcomes = await Promise.allSettled(effects.map(async (run) => run()));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        this.#logger.error(
          { err: outcome.reason as unknown },
          'Work after a commit failed. The change is committed.',
        );
    }
  }

  async #commit<T>(
    work: (trx: Transaction, connection: Connection) => PromiseLike<T>,
    open: OpenTransaction,
  ): Promise<T> {
    const { connection } = open;
    let failure: unknown;
    const guarded = async (trx: Transaction): Promise<T> => {
      // knex calls the work even when BEGIN has failed, and rejects with the reason itself.
      if (trx.isCompleted()) throw new Error('The transaction did not begin.');
      this.#open.set(trx, open);
      try {
        if (!this.#pool.keepsDeadlines) await trx.raw(SET_LOCAL_DEADLINES);
        return await work(trx, connection);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    const watch = new CommitWatch(connection);
    try {
      const result = await this.#knex.transaction(guarded, {
        connection,
        isolationLevel: 'read committed',
        readOnly: this.#readOnly,
      });
      watch.assertCommitted();
      return result;
    } catch (error) {
      // If the ROLLBACK fails too, knex reports that failure instead of the relevant one.
      throw failure ?? error;
    } finally {
      watch.end();
    }
  }

  async #send<Row extends object>(
    connection: Connection,
    hot: Statement,
    values: readonly unknown[],
    prepares: boolean,
  ): Promise<Row[]> {
    try {
      return await send<Row>(connection, hot.text, values, prepares ? hot.preparedName : undefined);
    } catch (error) {
      if (prepares && isPreparedStatementLost(error)) this.#reportLostStatement(hot, error);
      throw error;
    }
  }

  /**
   * Logs a warning once: behind a pooler that cannot hold prepared statements it would come with every
   * request.
   */
  #reportLostStatement(hot: Statement, error: unknown): void {
    const level = this.#hasLostStatements ? 'debug' : 'warn';
    this.#hasLostStatements = true;
    this.#logger[level](
      { err: error, statement: hot.name },
      'A prepared statement was lost and ran unprepared. Behind a pooler, turn prepared statements off.',
    );
  }
}

async function send<Row extends object>(
  connection: Connection,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<Row[]> {
  const result = await connection.query<Row>({
    text,
    values: [...values],
    ...(name === undefined ? {} : { name }),
  });
  const { rows } = result;
  // The callback of a query keeps its result reachable for minor collections of V8, long after the query: rows would fill the
  // old generation.
  result.rows = [];
  return rows;
}
