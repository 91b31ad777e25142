import { statement, type Database, type Transaction } from '../storage/database.js';

/** Wrong codes in a row from which on the user is mailed, at most once a day. */
const NOTICED_FROM = 5;

const READ = statement('wrong_codes_read', 'SELECT wrong_codes FROM users WHERE id = $1');
const COUNT = statement(
  'wrong_codes_count',
  `UPDATE users SET wrong_codes = wrong_codes + 1, wrong_codes_noticed_at =
     CASE WHEN wrong_codes + 1 >= $2 AND coalesce(wrong_codes_noticed_at <= now() - interval '1 day', true)
       THEN now() ELSE wrong_codes_noticed_at END
   WHERE id = $1
   RETURNING wrong_codes, coalesce(wrong_codes_noticed_at = now(), false) AS is_noticed`,
);
const CLEAR = statement(
  'wrong_codes_clear',
  'UPDATE users SET wrong_codes = 0 WHERE id = $1 AND wrong_codes > 0',
);

/** Counts wrong codes on the rows of users, which the transactions have locked. */
export class WrongCodeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the wrong codes since the last right one. */
  async read(userId: string, trx: Transaction): Promise<number> {
    const [row] = await this.#database.query<{ wrong_codes: number }>(READ, [userId], trx);
    return row?.wrong_codes ?? 0;
  }

  /** Counts one more. @returns their number, and whether a mail is due, which is then recorded as sent. */
  async count(userId: string, trx: Transaction): Promise<{ count: number; isNoticed: boolean }> {
    const [row] = await this.#database.query<{ wrong_codes: number; is_noticed: boolean }>(
      COUNT,
      [userId, NOTICED_FROM],
      trx,
    );
    return { count: row?.wrong_codes ?? 0, isNoticed: row?.is_noticed ?? false };
  }

  /** Starts again at zero. */
  async clear(userId: string, trx: Transaction): Promise<void> {
    await this.#database.query(CLEAR, [userId], trx);
  }
}
