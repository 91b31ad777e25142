import { batchOf, statement, type Database, type Transaction } from '../storage/database.js';
import { MAX_TRUSTED_DEVICES, type TrustedDevice } from './trusted-device.js';

interface NewTrustedDevice {
  id: string;
  userId: string;
  secretDigest: Buffer;
  label: string | null;
  ipAddress: string | null;
  days: number;
}

/** Neither the role, the activity nor the factors of the user have changed since the device was trusted. */
const IS_LIVE = `t.expires_at > now() AND t.token_version = u.token_version AND t.factor_version = u.factor_version`;

/**
 * Locks the row of the user first, as everything does that removes devices: a device that is removed meanwhile is not found on its current
 * row.
 */
const USE = statement(
  'trusted_device_use',
  `WITH u AS MATERIALIZED (
     SELECT id, token_version, factor_version FROM users WHERE id = $1 FOR NO KEY UPDATE
   )
   UPDATE trusted_devices t SET last_used_at = now(), ip_address = $3 FROM u
   WHERE t.user_id = u.id AND t.secret_digest = ANY(${batchOf('$2', 'bytea')}) AND ${IS_LIVE}
   RETURNING t.id`,
);
const INSERT = statement(
  'trusted_device_insert',
  `INSERT INTO trusted_devices (id, user_id, secret_digest, label, ip_address, token_version, factor_version, expires_at)
   SELECT $1, u.id, $3, $4, $5, u.token_version, u.factor_version, now() + make_interval(days => $6)
   FROM users u WHERE u.id = $2`,
);
const REPLACE = statement(
  'trusted_device_replace',
  `DELETE FROM trusted_devices WHERE user_id = $1 AND secret_digest = ANY(${batchOf('$2', 'bytea')})`,
);
const EVICT = statement(
  'trusted_device_evict',
  `DELETE FROM trusted_devices WHERE id IN (
     SELECT id FROM trusted_devices WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET ${MAX_TRUSTED_DEVICES - 1})
   RETURNING id`,
);
const FIND_LIVE = statement(
  'trusted_device_find_live',
  `SELECT t.secret_digest AS digest FROM trusted_devices t JOIN users u ON u.id = t.user_id
   WHERE t.secret_digest = ANY(${batchOf('$1', 'bytea')}) AND ${IS_LIVE}`,
);
const LIST = statement(
  'trusted_device_list',
  `SELECT t.id, t.label, t.ip_address AS "ipAddress", t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt",
     t.expires_at AS "expiresAt"
   FROM trusted_devices t JOIN users u ON u.id = t.user_id
   WHERE t.user_id = $1 AND ${IS_LIVE} ORDER BY t.created_at DESC, t.id DESC`,
);
const USERS_AFTER = statement(
  'trusted_device_users_after',
  `SELECT DISTINCT user_id FROM trusted_devices
   WHERE user_id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY user_id LIMIT $2`,
);
const REMOVE = statement(
  'trusted_device_remove',
  'DELETE FROM trusted_devices WHERE id = $1 AND user_id = $2 RETURNING id',
);
const REMOVE_ALL = statement(
  'trusted_device_remove_all',
  'DELETE FROM trusted_devices WHERE user_id = $1 RETURNING id',
);

/** Stores trusted devices. What adds and removes them holds the row of their user. */
export class TrustedDeviceRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Records a sign-in on a trusted device of the user, and locks the row of the user, if one of the secrets is that of a device that is
   * still trusted. @returns the id of the device; undefined if there is none.
   */
  async use(
    userId: string,
    { secretDigests, ipAddress }: { secretDigests: readonly Buffer[]; ipAddress: string | null },
    trx: Transaction,
  ): Promise<string | undefined> {
    const [used] = await this.#database.query<{ id: string }>(USE, [userId, secretDigests, ipAddress], trx);
    return used?.id;
  }

  /**
   * Adds a device in the place of the one that the browser had, bound to the current state of the user.
   * @param former the digests of the other secrets of the browser.
   * @returns the number of older devices that were removed for it.
   */
  async add(device: NewTrustedDevice, former: readonly Buffer[], trx: Transaction): Promise<number> {
    const { id, userId, secretDigest, label, ipAddress, days } = device;
    await this.#database.query(REPLACE, [userId, former], trx);
    const evicted = await this.#database.query(EVICT, [userId], trx);
    await this.#database.query(INSERT, [id, userId, secretDigest, label, ipAddress, days], trx);
    return evicted.length;
  }

  /** Returns which of the digests are of devices that are trusted by any user. */
  async findLive(secretDigests: readonly Buffer[], trx: Transaction): Promise<Buffer[]> {
    const rows = await this.#database.query<{ digest: Buffer }>(FIND_LIVE, [secretDigests], trx);
    return rows.map(({ digest }) => digest);
  }

  /** Returns the trusted devices of a user, newest first. */
  list(userId: string): Promise<TrustedDevice[]> {
    return this.#database.query<TrustedDevice>(LIST, [userId]);
  }

  /** Returns the ids of users with trusted devices, in order, starting after the id `after`. */
  async usersAfter(after: string | undefined, limit: number): Promise<string[]> {
    const rows = await this.#database.query<{ user_id: string }>(USERS_AFTER, [after ?? null, limit]);
    return rows.map((row) => row.user_id);
  }

  /** Removes a device. @returns false if the user has none with this id. */
  async remove(id: string, userId: string, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(REMOVE, [id, userId], trx)).length > 0;
  }

  /** Removes the devices of a user. @returns their number. */
  async removeAll(userId: string, trx: Transaction): Promise<number> {
    return (await this.#database.query(REMOVE_ALL, [userId], trx)).length;
  }
}
