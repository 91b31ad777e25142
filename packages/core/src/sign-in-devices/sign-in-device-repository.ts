import type { Transaction } from '../storage/database.js';

/** Devices that are kept for a user. A new one replaces the one that was not used for the longest time. */
const MAX_DEVICES = 50;

/** The condition that a user, a row of `users`, has not signed in from the device before. @param digest its placeholder. */
const isNewDevice = (digest: string): string =>
  `NOT EXISTS (SELECT FROM sign_in_devices d WHERE d.user_id = users.id AND d.device_digest = ${digest})`;

/**
 * Returns the new value of `users.device_notice_from` for a sign-in. The row of the user decides, since its lock orders
 * sign-ins: of several at once from new devices, one is mailed.
 * @param digest the placeholder of the device's digest; null leaves the value as it is.
 */
export const nextDeviceNotice = (digest: string): string => `CASE
       WHEN ${digest}::bytea IS NULL THEN device_notice_from
       WHEN device_notice_from IS NULL THEN now()
       WHEN device_notice_from <= now() AND ${isNewDevice(digest)} THEN now() + interval '1 day'
       ELSE device_notice_from END`;

/** True in `RETURNING` if `nextDeviceNotice` has decided that this sign-in is mailed. */
export const IS_DEVICE_NOTICED = `coalesce(device_notice_from = now() + interval '1 day', false)`;

/**
 * Returns the statement that records the device of a sign-in, as a part of a larger one.
 * @param source a CTE with one row, `id` of the user, or none.
 */
export const deviceUpsertFrom = (source: string, digest: string): string =>
  `INSERT INTO sign_in_devices (user_id, device_digest)
     SELECT id, ${digest} FROM ${source} WHERE ${digest}::bytea IS NOT NULL
     ON CONFLICT (user_id, device_digest) DO UPDATE SET last_used_at = now()
       WHERE sign_in_devices.last_used_at < now() - interval '1 day'`;

/** Returns the statement that removes the surplus device when a new one is added. It reads the devices as they were before the sign-in. */
export const deviceEvictionFrom = (source: string, digest: string): string =>
  `DELETE FROM sign_in_devices gone USING (
       SELECT old.user_id, old.device_digest FROM ${source} JOIN sign_in_devices old ON old.user_id = ${source}.id
       WHERE NOT EXISTS (SELECT FROM sign_in_devices same WHERE same.user_id = ${source}.id AND same.device_digest = ${digest})
       ORDER BY old.last_used_at DESC OFFSET ${MAX_DEVICES - 1}) surplus
     WHERE ${digest}::bytea IS NOT NULL
       AND gone.user_id = surplus.user_id AND gone.device_digest = surplus.device_digest`;

/** The devices from which users have signed in. A sign-in records them as part of the statement that creates its session. */
export class SignInDeviceRepository {
  /**
   * Forgets the devices of a user whose password a stranger may have known: theirs must not pass for known ones. The next
   * sign-in is mailed, from whichever device.
   */
  async forgetAll(userId: string, trx: Transaction): Promise<void> {
    await trx('sign_in_devices').where({ user_id: userId }).delete();
  }
}
