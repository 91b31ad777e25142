import { isPreparedStatementLost } from '../../storage/database-error.js';
import type { Database } from '../../storage/database.js';

/** Needs three connections at once. */
export class PoolerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Whether a pooler stands in between: the number of the server process that it told us at connecting is then not the
   * one of the process that answers.
   */
  isPooled(): Promise<boolean> {
    return this.#database.withConnection(async (connection) => {
      const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
      return 'processID' in connection && connection.processID !== rows[0]?.pid;
    });
  }

  /**
   * Whether a statement that was prepared can be run again on the same connection once the pooler has put another
   * server connection behind it: transactions of others hold the first one then. Undefined when that cannot be found
   * out, for instance since the pooler has too few server connections.
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
