import type { EncryptedValue } from '../../../encryption/value-cipher.js';
import { newId } from '../../../kernel/id.js';
import { statement, type Database, type Transaction } from '../../../storage/database.js';

/** A new set of codes: their digests under one key. */
interface RecoveryCodeSet {
  digests: readonly Buffer[];
  key: EncryptedValue;
}

/** The stored form of a code, with the encrypted key of its set. */
export interface StoredRecoveryCode {
  id: string;
  userId: string;
  digest: Buffer;
  /** Undefined for a digest without a key. */
  key: EncryptedValue | undefined;
}

interface KeyRow {
  encrypted_key: Buffer | null;
  key_id: string | null;
}

const KEYS = statement(
  'recovery_code_keys',
  'SELECT DISTINCT encrypted_key, key_id FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
);
const USE = statement(
  'recovery_code_use',
  `UPDATE recovery_codes SET used_at = now()
   WHERE user_id = $1 AND code_digest = ANY($2::bytea[]) AND used_at IS NULL RETURNING id`,
);
const INSERT = statement(
  'recovery_code_insert',
  `INSERT INTO recovery_codes (id, user_id, code_digest, encrypted_key, key_id)
   SELECT id, $1, digest, $4, $5 FROM unnest($2::uuid[], $3::bytea[]) AS code (id, digest)`,
);
const COUNT_UNUSED = statement(
  'recovery_code_count_unused',
  'SELECT count(*)::integer AS unused FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
);
/** Users with a code of another key or of none, from an id on. */
const USERS_OF_OTHER_KEYS = statement(
  'recovery_code_users_of_other_keys',
  `SELECT DISTINCT user_id FROM recovery_codes
   WHERE key_id IS DISTINCT FROM $1 AND user_id > $2 ORDER BY user_id LIMIT $3`,
);
const OF_OTHER_KEYS = statement(
  'recovery_code_of_other_keys',
  `SELECT id, user_id, code_digest, encrypted_key, key_id FROM recovery_codes
   WHERE user_id = ANY($1::uuid[]) AND key_id IS DISTINCT FROM $2 ORDER BY user_id, id`,
);
const REENCRYPT = statement(
  'recovery_code_reencrypt',
  `UPDATE recovery_codes c SET code_digest = n.digest, encrypted_key = n.key, key_id = $4
   FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS n (id, digest, key) WHERE c.id = n.id`,
);

/** Stores the digests of recovery codes. */
export class RecoveryCodeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the encrypted keys of a user's unused codes, usually one; undefined stands for codes without a key. */
  async keysOf(userId: string, trx: Transaction): Promise<(EncryptedValue | undefined)[]> {
    return (await this.#database.query<KeyRow>(KEYS, [userId], trx)).map(toKey);
  }

  /**
   * Spends a code. Of simultaneous uses one succeeds.
   * @param digests the code under each key of the user.
   * @returns false for a code that is unknown or used.
   */
  async use(userId: string, digests: readonly Buffer[], trx: Transaction): Promise<boolean> {
    return (await this.#database.query(USE, [userId, digests], trx)).length > 0;
  }

  /** Replaces the codes of a user by a new set. */
  async replaceAll(userId: string, { digests, key }: RecoveryCodeSet, trx: Transaction): Promise<void> {
    await this.removeAll(userId, trx);
    const values = [userId, digests.map(() => newId()), digests, key.bytes, key.keyId];
    await this.#database.query(INSERT, values, trx);
  }

  async countUnused(userId: string, trx?: Transaction): Promise<number> {
    const [row] = await this.#database.query<{ unused: number }>(COUNT_UNUSED, [userId], trx);
    return row?.unused ?? 0;
  }

  /** Returns the ids of users with a code that this key does not protect, in order, after an id. */
  async usersOfOtherKeys(keyId: string, after: string, limit: number): Promise<string[]> {
    const rows = await this.#database.query<{ user_id: string }>(USERS_OF_OTHER_KEYS, [keyId, after, limit]);
    return rows.map(({ user_id }) => user_id);
  }

  /** Returns the codes of these users that this key does not protect, used ones too. */
  async ofOtherKeys(
    userIds: readonly string[],
    keyId: string,
    trx: Transaction,
  ): Promise<StoredRecoveryCode[]> {
    const rows = await this.#database.query<KeyRow & { id: string; user_id: string; code_digest: Buffer }>(
      OF_OTHER_KEYS,
      [userIds, keyId],
      trx,
    );
    return rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      digest: row.code_digest,
      key: toKey(row),
    }));
  }

  /** Replaces digests and keys of codes, of users whose rows the transaction has locked. @param keyId of all new keys. */
  async reencrypt(
    codes: readonly { id: string; digest: Buffer; key: EncryptedValue }[],
    keyId: string,
    trx: Transaction,
  ): Promise<void> {
    const columns = [
      codes.map(({ id }) => id),
      codes.map(({ digest }) => digest),
      codes.map(({ key }) => key.bytes),
    ];
    await this.#database.query(REENCRYPT, [...columns, keyId], trx);
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

const toKey = ({ encrypted_key: bytes, key_id: keyId }: KeyRow): EncryptedValue | undefined =>
  bytes === null || keyId === null ? undefined : { keyId, bytes };
