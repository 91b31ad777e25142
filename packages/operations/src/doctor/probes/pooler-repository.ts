import type { Database } from '@latchkey/core/internal/storage/database';
import { isPreparedStatementLost } from '@latchkey/core/internal/storage/database-error';

/** Detects a pooler and its abilities. Uses three connections at once. */
export class PoolerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns true if there is a pooler in between: the process number that it reported at connecting then
   * differs from that of the process that answers.
   */
  isPooled(): Promise<boolean> {
    return this.#database.withConnection(async (connection) => {
      const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
      return 'processID' in connection && connection.processID !== rows[0]?.pid;
    });
  }

  /**
   * Returns true if a prepared statement can be run again on the same connection after the pooler has
   * assigned another server connection to it: meanwhile transactions of other connections hold the first one.
   * Undefined if that cannot be determined, for example because the pooler has too few server connections.
   */
  async holdsPrepared(): Promise<boolean | undefined> {
    try {
      return await this.#database.withConnection((own) =>
        this.#database.withConnection((second) =>
          this.#database.withConnection(async (third) => {
            await own.query('begin');
            await second.query('begin');
            await own.query(PREPARED);
            await own.query('commit');
            await third.query('begin');
            await second.query('commit');
            await own.query(PREPARED);
            await third.query('commit');
            return true;
          }),
        ),
      );
    } catch (error) {
      return isPreparedStatementLost(error) ? false : undefined;
    }
  }
}

const PREPARED = { name: 'doctor_held', text: 'select $1::int as one', values: [1] };
