import type { StoredHashKind } from '../passwords/decoys.js';
import { STORED_HASH_PREFIX } from '../passwords/stored-hash.js';
import { statement, type Database } from '../storage/database.js';

/** Number of pages of the table of users that are read, 2 MiB with some thousand hashes; a smaller table is read completely. */
const SAMPLE_PAGES = 250;
/** Maximum number of kinds; further ones are too rare to matter. */
const MAX_KINDS = 16;

const PERCENTAGE = statement(
  'password_hash_sample',
  `SELECT least(100, 100.0 * $1 * current_setting('block_size')::int / greatest(pg_relation_size('users'), 1))::real
     AS percentage`,
);
/**
 * REPEATABLE: replicas and repetitions read the same pages, so that only changes of the table change the
 * result. The pattern reads no salt, digest or key.
 */
const KINDS = statement(
  'password_hash_kinds',
  `SELECT prefix, count(*)::int AS count
   FROM (SELECT substring(password_hash FROM $3) AS prefix
         FROM users TABLESAMPLE SYSTEM ($1) REPEATABLE (0)) AS sample
   WHERE prefix IS NOT NULL
   GROUP BY prefix ORDER BY count DESC, prefix LIMIT $2`,
);

/** Counts the kinds of stored password hashes. No hash leaves the database. */
export class PasswordHashRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the kinds of stored hashes, the most frequent first, counted on a sample of at most 250 pages.
   */
  async kinds(): Promise<StoredHashKind[]> {
    const [sample] = await this.#database.query<{ percentage: number }>(PERCENTAGE, [SAMPLE_PAGES]);
    return this.#database.query<StoredHashKind>(KINDS, [
      sample?.percentage ?? 100,
      MAX_KINDS,
      STORED_HASH_PREFIX,
    ]);
  }
}
