import type { SecretColumn } from '../../../encryption/reencryption.js';
import type { EncryptedValue } from '../../../encryption/value-cipher.js';
import { statement, type Database, type Transaction } from '../../../storage/database.js';
import { ENROLMENT_SECONDS, MAX_UNCONFIRMED_FACTORS, placeOfSecret, type TotpFactor } from './totp-factor.js';

/** A new enrolment. */
interface NewTotpFactor {
  id: string;
  userId: string;
  name: string;
  secret: EncryptedValue;
  /** The session or challenge that began it. */
  begunBy: string;
}

/** The encrypted secret of a factor, and the time of the database. */
export interface StoredSecret {
  id: string;
  name: string;
  secret: EncryptedValue;
  /** The last accepted time step of all factors of the user; null if none was accepted. */
  lastStep: number | null;
  /** Seconds since the epoch. */
  now: number;
}

interface FactorRow {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

interface SecretRow {
  id: string;
  name: string;
  encrypted_secret: Buffer;
  key_id: string;
  last_step: string | null;
  now: number;
}

const COLUMNS = 'id, name, created_at, last_used_at';
const SECRET_COLUMNS = `id, name, encrypted_secret, key_id, extract(epoch FROM now())::float8 AS now`;

const LIST = statement(
  'totp_list',
  `SELECT ${COLUMNS} FROM totp_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL ORDER BY created_at DESC, id DESC`,
);
const SECRETS = statement(
  'totp_secrets',
  `SELECT ${SECRET_COLUMNS}, max(last_step) OVER () AS last_step
   FROM totp_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL ORDER BY id`,
);
const FIND_UNCONFIRMED = statement(
  'totp_find_unconfirmed',
  `SELECT ${SECRET_COLUMNS}, last_step FROM totp_factors
   WHERE id = $1 AND user_id = $2 AND begun_by = $3 AND confirmed_at IS NULL AND expires_at > now()`,
);
/** The step is compared with those of all factors: a code of either is worth one use. */
const USE = statement(
  'totp_use',
  `UPDATE totp_factors SET last_step = $3, last_used_at = now()
   WHERE id = $1 AND user_id = $2 AND confirmed_at IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM totp_factors WHERE user_id = $2 AND last_step >= $3)
   RETURNING id`,
);
const CONFIRM = statement(
  'totp_confirm',
  `UPDATE totp_factors SET confirmed_at = now(), expires_at = NULL, last_step = $4, last_used_at = now()
   WHERE id = $1 AND user_id = $2 AND begun_by = $3 AND confirmed_at IS NULL AND expires_at > now()
   RETURNING ${COLUMNS}`,
);
const DISCARD_OLDEST = statement(
  'totp_discard_unconfirmed',
  `DELETE FROM totp_factors WHERE user_id = $1 AND confirmed_at IS NULL AND id NOT IN (
     SELECT id FROM totp_factors WHERE user_id = $1 AND confirmed_at IS NULL ORDER BY created_at DESC, id DESC LIMIT $2)`,
);
/** Rows that another key has encrypted, from an id on. */
const OF_OTHER_KEYS = statement(
  'totp_of_other_keys',
  `SELECT id, user_id, encrypted_secret, key_id FROM totp_factors
   WHERE key_id <> $1 AND id > $2 ORDER BY id LIMIT $3`,
);
const REENCRYPT = statement(
  'totp_reencrypt',
  `UPDATE totp_factors SET encrypted_secret = $3, key_id = $4
   WHERE id = $1 AND encrypted_secret = $2 RETURNING id`,
);
const INSERT = statement(
  'totp_insert',
  `INSERT INTO totp_factors (id, user_id, name, encrypted_secret, key_id, begun_by, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7)) RETURNING expires_at`,
);

/**
 * Stores authenticator apps. Every write is part of a transaction that has locked the row of the user, so limits and
 * time steps are exact.
 */
export class TotpRepository implements SecretColumn {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the confirmed factors of a user, newest first. */
  async list(userId: string, trx?: Transaction): Promise<TotpFactor[]> {
    return (await this.#database.query<FactorRow>(LIST, [userId], trx)).map(toFactor);
  }

  /** Returns the secrets of the confirmed factors of a user. */
  async secretsOf(userId: string, trx: Transaction): Promise<StoredSecret[]> {
    return (await this.#database.query<SecretRow>(SECRETS, [userId], trx)).map(toSecret);
  }

  /** Returns the secret of an enrolment that this session or challenge began and that can still be confirmed. */
  async findUnconfirmed(
    { id, userId, begunBy }: Pick<NewTotpFactor, 'id' | 'userId' | 'begunBy'>,
    trx: Transaction,
  ): Promise<StoredSecret | undefined> {
    const [row] = await this.#database.query<SecretRow>(FIND_UNCONFIRMED, [id, userId, begunBy], trx);
    return row && toSecret(row);
  }

  /**
   * Records a use, if the time step is later than that of every use before. Of simultaneous uses of a step one succeeds.
   * @returns false, and nothing is written, when it is not.
   */
  async use(id: string, userId: string, step: number, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(USE, [id, userId, step], trx)).length > 0;
  }

  /** Inserts an enrolment; the oldest of too many are removed. @returns the time at which it expires. */
  async insert(factor: NewTotpFactor, trx: Transaction): Promise<Date> {
    const { id, userId, name, secret, begunBy } = factor;
    await this.#database.query(DISCARD_OLDEST, [userId, MAX_UNCONFIRMED_FACTORS - 1], trx);
    const values = [id, userId, name, secret.bytes, secret.keyId, begunBy, ENROLMENT_SECONDS];
    const [row] = await this.#database.query<{ expires_at: Date }>(INSERT, values, trx);
    if (!row) throw new Error('the inserted factor was not returned');
    return row.expires_at;
  }

  /** Confirms an enrolment by a code of this time step. @returns undefined when it is gone or expired. */
  async confirm(
    { id, userId, begunBy }: Pick<NewTotpFactor, 'id' | 'userId' | 'begunBy'>,
    step: number,
    trx: Transaction,
  ): Promise<TotpFactor | undefined> {
    const [row] = await this.#database.query<FactorRow>(CONFIRM, [id, userId, begunBy, step], trx);
    return row && toFactor(row);
  }

  /** Returns factors that another key has encrypted, in the order of their ids, after an id. */
  async ofOtherKeys(keyId: string, after: string, limit: number): ReturnType<SecretColumn['ofOtherKeys']> {
    const rows = await this.#database.query<{
      id: string;
      user_id: string;
      encrypted_secret: Buffer;
      key_id: string;
    }>(OF_OTHER_KEYS, [keyId, after, limit]);
    return rows.map((row) => ({
      id: row.id,
      place: placeOfSecret(row.user_id, row.id),
      secret: { keyId: row.key_id, bytes: row.encrypted_secret },
    }));
  }

  /** Replaces the encrypted secret, if it is still this one. Uses of the factor meanwhile are kept. */
  async replace(
    { id, secret }: Parameters<SecretColumn['replace']>[0],
    next: EncryptedValue,
  ): Promise<boolean> {
    const values = [id, secret.bytes, next.bytes, next.keyId];
    return (await this.#database.query(REENCRYPT, values)).length > 0;
  }

  /** Removes the enrolments of a user that are not confirmed. */
  async removeUnconfirmed(userId: string, trx: Transaction): Promise<void> {
    await trx('totp_factors').where({ user_id: userId, confirmed_at: null }).delete();
  }

  /** Removes a confirmed factor. @returns undefined when the user has no such factor. */
  async remove(id: string, userId: string, trx: Transaction): Promise<TotpFactor | undefined> {
    const [row] = await trx('totp_factors')
      .where({ id, user_id: userId })
      .whereNotNull('confirmed_at')
      .delete()
      .returning<FactorRow[]>(['id', 'name', 'created_at', 'last_used_at']);
    return row && toFactor(row);
  }

  /** Removes the factors of a user that were confirmed since a time, and all that are not. @returns the names of the former. */
  async removeSince(userId: string, since: Date, trx: Transaction): Promise<string[]> {
    const rows = await trx('totp_factors')
      .where({ user_id: userId })
      .whereRaw('(confirmed_at IS NULL OR confirmed_at >= ?)', [since])
      .delete()
      .returning<{ name: string; confirmed_at: Date | null }[]>(['name', 'confirmed_at']);
    return rows.filter((row) => row.confirmed_at !== null).map(({ name }) => name);
  }

  /** Removes every factor of a user. @returns the number of confirmed ones. */
  async removeAll(userId: string, trx: Transaction): Promise<number> {
    const rows = await trx('totp_factors')
      .where({ user_id: userId })
      .delete()
      .returning<{ confirmed_at: Date | null }[]>('confirmed_at');
    return rows.filter((row) => row.confirmed_at !== null).length;
  }
}

const toFactor = (row: FactorRow): TotpFactor => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

const toSecret = (row: SecretRow): StoredSecret => ({
  id: row.id,
  name: row.name,
  secret: { keyId: row.key_id, bytes: row.encrypted_secret },
  lastStep: row.last_step === null ? null : Number(row.last_step),
  now: row.now,
});
