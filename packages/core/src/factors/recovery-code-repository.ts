import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';

const USE = statement(
  'recovery_code_use',
  `UPDATE recovery_codes SET used_at = now() WHERE user_id = $1 AND code_digest = $2 AND used_at IS NULL RETURNING id`,
);
const INSERT = statement(
  'recovery_code_insert',
  `INSERT INTO recovery_codes (id, user_id, code_digest)
   SELECT id, $1, digest FROM unnest($2::uuid[], $3::bytea[]) AS code (id, digest)`,
);
const COUNT_UNUSED = statement(
  'recovery_code_count_unused',
  'SELECT count(*)::integer AS unused FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
);

/** Stores the digests of recovery codes. */
export class RecoveryCodeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Spends a code. Of simultaneous uses one succeeds. @returns false for a code that is unknown or used. */
  async use(userId: string, digest: Buffer, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(USE, [userId, digest], trx)).length > 0;
  }

  /** Replaces the codes of a user by a new set. */
  async replaceAll(userId: string, digests: readonly Buffer[], trx: Transaction): Promise<void> {
    await this.removeAll(userId, trx);
    await this.#database.query(INSERT, [userId, digests.map(() => newId()), digests], trx);
  }

  async countUnused(userId: string, trx?: Transaction): Promise<number> {
    const [row] = await this.#database.query<{ unused: number }>(COUNT_UNUSED, [userId], trx);
    return row?.unused ?? 0;
  }

  /** Removes the codes of a user that were created since a time. */
  async removeSince(userId: string, since: Date, trx: Transaction): Promise<void> {
    await trx('recovery_codes').where({ user_id: userId }).where('created_at', '>=', since).delete();
  }

  /** Removes the codes of a user. @returns the number of unused ones. */
  async removeAll(userId: string, trx: Transaction): Promise<number> {
    const rows = await trx('recovery_codes')
      .where({ user_id: userId })
      .delete()
      .returning<{ used_at: Date | null }[]>('used_at');
    return rows.filter((row) => row.used_at === null).length;
  }
}
