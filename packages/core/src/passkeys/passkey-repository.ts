import { newId } from '../kernel/id.js';
import type { Page, PageRequest } from '../kernel/page.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import type { DeviceType, NewCredential, Passkey, StoredCredential, VerifiedUse } from './passkey.js';

export interface PasskeyRow {
  id: string;
  name: string;
  device_type: DeviceType;
  backed_up: boolean;
  transports: string[];
  created_at: Date;
  last_used_at: Date | null;
}

interface CredentialRow extends UserRow {
  passkey_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: string;
  device_type: DeviceType;
}

const COLUMNS = 'id, name, device_type, backed_up, transports, created_at, last_used_at';

const FIND_CREDENTIAL = statement(
  'passkey_find_credential',
  `SELECT p.id AS passkey_id, p.credential_id, p.public_key, p.counter, p.device_type,
     ${userColumns('u').join(', ')}
   FROM passkey_credentials p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1`,
);
const CREDENTIALS_OF = statement(
  'passkey_credentials_of_user',
  'SELECT credential_id AS id, transports FROM passkey_credentials WHERE user_id = $1 ORDER BY created_at, id',
);
const LIST = statement(
  'passkey_list',
  `SELECT ${COLUMNS}, count(*) OVER () AS total FROM passkey_credentials WHERE user_id = $1
   ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
);
const COUNT = statement(
  'passkey_count',
  'SELECT count(*) AS total FROM passkey_credentials WHERE user_id = $1',
);
const INSERT = statement(
  'passkey_insert',
  `INSERT INTO passkey_credentials (id, user_id, credential_id, public_key, counter, device_type, backed_up,
     transports, aaguid, name)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   ON CONFLICT (credential_id) DO NOTHING RETURNING ${COLUMNS}`,
);
const RECORD_USE = statement(
  'passkey_record_use',
  `UPDATE passkey_credentials SET counter = $2, backed_up = $3, last_used_at = now()
   WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`,
);
const RENAME = statement(
  'passkey_rename',
  `UPDATE passkey_credentials SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING ${COLUMNS}`,
);
const REMOVE = statement(
  'passkey_remove',
  `DELETE FROM passkey_credentials WHERE id = $1 AND user_id = $2 RETURNING ${COLUMNS}`,
);

/** Stores passkeys: public keys and names. */
export class PasskeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a credential and its owner, by the id that its authenticator assigned. */
  async findCredential(credentialId: string): Promise<StoredCredential | undefined> {
    const [row] = await this.#database.query<CredentialRow>(FIND_CREDENTIAL, [credentialId]);
    return row && toCredential(row);
  }

  /** Returns the credentials that an authenticator must not register again. */
  async credentialsOf(userId: string): Promise<{ id: string; transports: string[] }[]> {
    return this.#database.query(CREDENTIALS_OF, [userId]);
  }

  /** Returns a page of a user's passkeys, newest first. */
  async list(userId: string, { limit, offset }: PageRequest): Promise<Page<Passkey>> {
    const rows = await this.#database.query<PasskeyRow & { total: string }>(LIST, [userId, limit, offset]);
    const [first] = rows;
    const total = first ? toCount(first.total) : await this.count(userId);
    return { items: rows.map(toPasskey), total, isTotalExact: true };
  }

  /**
   * Returns the number of a user's passkeys; within a transaction that holds the user's row no other can be
   * added meanwhile.
   */
  async count(userId: string, trx?: Transaction): Promise<number> {
    const [row] = await this.#database.query<{ total: string }>(COUNT, [userId], trx);
    return toCount(row?.total);
  }

  /**
   * Inserts a passkey.
   * @returns undefined when the credential is registered already, for this or another user.
   */
  async insert(
    userId: string,
    name: string,
    credential: NewCredential,
    trx: Transaction,
  ): Promise<Passkey | undefined> {
    const values = [
      newId(),
      userId,
      credential.credentialId,
      Buffer.from(credential.publicKey),
      credential.counter,
      credential.deviceType,
      credential.backedUp,
      credential.transports,
      credential.aaguid,
      name,
    ];
    return one(await this.#database.query<PasskeyRow>(INSERT, values, trx));
  }

  /**
   * Records a use, if the authenticator's counter has grown, or it keeps none.
   * @returns false, and nothing is written, when it has not grown, or the passkey is gone.
   */
  async recordUse(passkeyId: string, use: VerifiedUse, trx: Transaction): Promise<boolean> {
    const values = [passkeyId, use.counter, use.backedUp];
    return (await this.#database.query(RECORD_USE, values, trx)).length > 0;
  }

  /** Renames a passkey. @returns undefined when the user has no such passkey. */
  async rename(id: string, userId: string, name: string, trx: Transaction): Promise<Passkey | undefined> {
    return one(await this.#database.query<PasskeyRow>(RENAME, [id, userId, name], trx));
  }

  /** Removes a passkey. @returns the removed passkey; undefined when the user has no such passkey. */
  async remove(id: string, userId: string, trx: Transaction): Promise<Passkey | undefined> {
    return one(await this.#database.query<PasskeyRow>(REMOVE, [id, userId], trx));
  }

  /** Removes the passkeys of a user that were added since a time. @returns the removed ones. */
  async removeSince(userId: string, since: Date, trx: Transaction): Promise<Passkey[]> {
    const rows = await trx('passkey_credentials')
      .where({ user_id: userId })
      .where('created_at', '>=', since)
      .delete()
      .returning<PasskeyRow[]>('*');
    return rows.map(toPasskey);
  }

  /** Removes every passkey of a user. @returns the number of removed passkeys. */
  async removeAll(userId: string, trx: Transaction): Promise<number> {
    return trx('passkey_credentials').where({ user_id: userId }).delete();
  }
}

const one = ([row]: PasskeyRow[]): Passkey | undefined => row && toPasskey(row);

export const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  deviceType: row.device_type,
  backedUp: row.backed_up,
  transports: row.transports,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

const toCredential = (row: CredentialRow): StoredCredential => ({
  passkeyId: row.passkey_id,
  credentialId: row.credential_id,
  publicKey: new Uint8Array(row.public_key),
  counter: Number(row.counter),
  deviceType: row.device_type,
  owner: toUser(row),
});
