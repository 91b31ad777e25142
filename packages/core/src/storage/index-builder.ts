import type { Connection } from './connection-pool.js';
import { MIGRATION_TIMEOUT_MS } from './deadlines.js';
import type { IndexStatement } from './index-statements.js';

const STATE = `
  select i.indisvalid as "isValid", i.indrelid::regclass::text as "table", i.indexrelid::regclass::text as "name"
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relname = $1 and c.relnamespace = coalesce(
    (select relnamespace from pg_class where oid = to_regclass($2)),
    (select relnamespace from pg_class where oid = to_regclass($1)))`;

interface IndexState {
  isValid: boolean;
  /** As SQL writes them. */
  table: string;
  name: string;
}

/**
 * Builds and drops indexes while the table is written. Each statement can be repeated after the process was killed:
 * a complete index is kept, and the invalid one that an interrupted build leaves is dropped and built again.
 */
export class IndexBuilder {
  readonly #connection: Connection;

  /** @param connection must have no deadlines and no open transaction. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async run(statement: IndexStatement): Promise<void> {
    try {
      await this.#runOnce(statement);
    } catch (error) {
      if (!isUpdatedMeanwhile(error)) throw error;
      // PostgreSQL unlocks the table shortly before it commits that an index is valid; now that has happened.
      await this.#runOnce(statement);
    }
  }

  async #runOnce(statement: IndexStatement): Promise<void> {
    const found = await this.#settledState(statement);
    if (statement.kind === 'drop') {
      if (found) await this.#drop(found);
      return;
    }
    if (found?.isValid === true) return;
    if (found) await this.#drop(found);
    await this.#send(statement.sql);
  }

  /**
   * Returns the state of the index once nothing builds it any more: the server completes the statement of a killed
   * process. Locking the table waits for that and, unlike other statements, holds no snapshot for which the build
   * would wait in turn.
   */
  async #settledState(statement: IndexStatement): Promise<IndexState | undefined> {
    const found = await this.#state(statement);
    if (!found) return undefined;
    await this.#send('begin');
    await this.#send(`lock table ${found.table} in share update exclusive mode`);
    await this.#send('commit');
    return this.#state(statement);
  }

  async #state({ index, table }: IndexStatement): Promise<IndexState | undefined> {
    const { rows } = await this.#connection.query<IndexState>(STATE, [index, table ?? null]);
    return rows[0];
  }

  async #drop({ name }: IndexState): Promise<void> {
    await this.#send(`drop index concurrently if exists ${name}`);
  }

  async #send(text: string): Promise<void> {
    const query = { text, query_timeout: MIGRATION_TIMEOUT_MS };
    await this.#connection.query(query);
  }
}

/** Reports whether another transaction has changed the entry of the index in the catalog. */
const isUpdatedMeanwhile = (error: unknown): boolean =>
  error instanceof Error && error.message === 'tuple concurrently updated';
