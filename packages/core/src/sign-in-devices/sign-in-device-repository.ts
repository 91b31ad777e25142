import { mailInsertFrom } from '../mail/outbox-repository.js';
import { statement, type Database, type Transaction } from '../storage/database.js';

/** Devices that are kept for a user. A new one replaces the one that was not used for the longest time. */
const MAX_DEVICES = 50;

/** The condition that a user, a row of `users`, has not signed in from the device before, or was not mailed about it yet. */
const isNewDevice = (user: string, digest: string): string =>
  `NOT EXISTS (SELECT FROM sign_in_devices d
     WHERE d.user_id = ${user}.id AND d.device_digest = ${digest} AND d.held_back IS NULL)`;

/** The condition that a notice about a device of the user was held back. */
const hasHeldBack = (user: string): string =>
  `EXISTS (SELECT FROM sign_in_devices d WHERE d.user_id = ${user}.id AND d.held_back IS NOT NULL)`;

/**
 * Returns the new value of `users.device_notice_from` for a sign-in. The row of the user decides, since its lock orders
 * sign-ins: of several at once from new devices, one is mailed.
 * @param digest the placeholder of the device's digest; null leaves the value as it is.
 */
export const nextDeviceNotice = (digest: string): string => `CASE
       WHEN ${digest}::bytea IS NULL THEN device_notice_from
       WHEN device_notice_from IS NULL THEN now()
       WHEN device_notice_from <= now() AND (${isNewDevice('users', digest)} OR ${hasHeldBack('users')})
         THEN now() + interval '1 day'
       ELSE device_notice_from END`;

/** True in `RETURNING` if `nextDeviceNotice` has decided that the user is mailed now. */
export const IS_DEVICE_NOTICED = `coalesce(device_notice_from = now() + interval '1 day', false)`;

/** True in `RETURNING` if a new device becomes a known one: it is mailed, or is the first of the account. */
export const IS_DEVICE_ACCEPTED = `coalesce(device_notice_from IN (now(), now() + interval '1 day'), false)`;

/**
 * Returns the statement that records the device of a sign-in, as a part of a larger one. A new device whose notice the daily
 * limit holds back does not become a known one; what the notice names is kept for the next one.
 * @param source a CTE with one row, `id` of the user and `is_device_accepted`, or none.
 * @param notice the placeholder of the mail about the device.
 */
export const deviceUpsertFrom = (source: string, digest: string, notice: string): string =>
  `INSERT INTO sign_in_devices (user_id, device_digest, held_back)
     SELECT id, ${digest}, CASE WHEN NOT is_device_accepted THEN ${notice}::jsonb->'payload' END
     FROM ${source} WHERE ${digest}::bytea IS NOT NULL
     ON CONFLICT (user_id, device_digest) DO UPDATE SET last_used_at = now(),
       held_back = CASE WHEN excluded.held_back IS NOT NULL THEN sign_in_devices.held_back END
       WHERE sign_in_devices.last_used_at < now() - interval '1 day'
         OR (sign_in_devices.held_back IS NOT NULL AND excluded.held_back IS NULL)`;

/**
 * Returns the statement that makes the devices of earlier sign-ins known whose notices were held back, now that a mail names
 * them. It spares the device of this sign-in, whose row a statement cannot write twice.
 * @param source a CTE with `id` of the user and `is_device_noticed`.
 */
export const heldBackReleaseFrom = (source: string, digest: string): string =>
  `UPDATE sign_in_devices named SET held_back = NULL FROM ${source}
     WHERE ${source}.is_device_noticed AND named.user_id = ${source}.id AND named.held_back IS NOT NULL
       AND named.device_digest IS DISTINCT FROM ${digest}::bytea`;

/**
 * Returns the query of the mail that names the device of a sign-in, if it is new, and all whose notices were held back.
 * @param source a CTE with `id` of the user and `is_device_noticed`.
 * @param digest the expression of the device's digest; null if the user is mailed without a sign-in.
 * @param notice the expression of the mail about that device alone.
 */
export const deviceNoticeOf = (source: string, digest: string, notice: string): string =>
  `SELECT jsonb_set(${notice}::jsonb, '{payload}',
       devices->0 || jsonb_build_object('others', devices - 0)) AS notice, id, email, full_name
     FROM ${source} CROSS JOIN LATERAL (
       SELECT CASE WHEN ${digest}::bytea IS NOT NULL AND ${isNewDevice(source, digest)}
         THEN jsonb_build_array(${notice}::jsonb->'payload') ELSE '[]'::jsonb END
         || coalesce(jsonb_agg(h.held_back || jsonb_build_object('at', h.first_used_at) ORDER BY h.first_used_at), '[]')
         AS devices
       FROM sign_in_devices h
       WHERE h.user_id = ${source}.id AND h.held_back IS NOT NULL
         AND h.device_digest IS DISTINCT FROM ${digest}::bytea) AS listed
     WHERE is_device_noticed`;

/**
 * Returns the statement that removes the surplus device when a new one is added. It reads the devices as they were before the
 * sign-in. Those that a mail has yet to name go last.
 */
export const deviceEvictionFrom = (source: string, digest: string): string =>
  `DELETE FROM sign_in_devices gone USING (
       SELECT old.user_id, old.device_digest FROM ${source} JOIN sign_in_devices old ON old.user_id = ${source}.id
       WHERE NOT EXISTS (SELECT FROM sign_in_devices same WHERE same.user_id = ${source}.id AND same.device_digest = ${digest})
       ORDER BY old.held_back IS NULL, old.last_used_at DESC OFFSET ${MAX_DEVICES - 1}) surplus
     WHERE ${digest}::bytea IS NOT NULL
       AND gone.user_id = surplus.user_id AND gone.device_digest = surplus.device_digest`;

// Skips users who are signing in at the moment: their sign-in sends the mail, or the next run does.
const NOTICE_HELD_BACK = statement(
  'device_notices_held_back',
  `WITH due AS MATERIALIZED (
     SELECT id FROM users WHERE device_notice_from <= now() AND ${hasHeldBack('users')}
     LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
   ), verified AS (
     UPDATE users SET device_notice_from = now() + interval '1 day' FROM due WHERE users.id = due.id
     RETURNING users.id, email, full_name, true AS is_device_noticed
   ), released AS (${heldBackReleaseFrom('verified', 'NULL')}
   ), noticed AS (${deviceNoticeOf('verified', 'NULL', `jsonb_build_object('id', gen_random_uuid(), 'kind', 'new_device')`)}
   ), mailed AS (${mailInsertFrom('noticed', 'true', 'noticed.notice')}
   ) SELECT id FROM verified`,
);

/** The devices from which users have signed in. A sign-in records them as part of the statement that creates its session. */
export class SignInDeviceRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Queues the notices that the daily limit held back and that are due by now, for at most `limit` users: without it, they
   * would wait for a sign-in. @returns the number of users.
   */
  async noticeHeldBack(limit: number): Promise<number> {
    return (await this.#database.query(NOTICE_HELD_BACK, [limit])).length;
  }

  /**
   * Forgets the known devices of a user whose password a stranger may have known: theirs must not pass for known ones. The
   * next sign-in is mailed, from whichever device. Those that a mail has yet to name are kept for that mail.
   */
  async forgetKnown(userId: string, trx: Transaction): Promise<void> {
    await trx('sign_in_devices').where({ user_id: userId, held_back: null }).delete();
  }

  /** Removes all devices of a user who is erased. */
  async removeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('sign_in_devices').where({ user_id: userId }).delete();
  }
}
