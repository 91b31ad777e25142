import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Transaction } from '../storage/database.js';
import type { TrustedDeviceRepository } from './trusted-device-repository.js';

/** The user who loses the trust in all devices, and the cause. */
interface DevicesToRemove {
  userId: string;
  /** The reason for the audit log. */
  reason: string;
  actor: Actor;
  client: ClientInfo;
}

/**
 * Removes the trusted devices of a user in the transaction of what ends the trust: a change of the password, of the factors or of the role,
 * and whatever ends all sessions. It works while trusted devices are off, too, so that none comes back with the setting.
 */
export class TrustedDeviceRemoval {
  readonly #deps;

  constructor(deps: { readonly trustedDevices: TrustedDeviceRepository; readonly audit: AuditRepository }) {
    this.#deps = deps;
  }

  /**
   * Removes the devices, with an audit row if there are any. The transaction holds the row of the user.
   * @returns their number.
   */
  async removeAllWithin(target: DevicesToRemove, trx: Transaction): Promise<number> {
    const { userId, reason, actor, client } = target;
    const removed = await this.#deps.trustedDevices.removeAll(userId, trx);
    if (removed > 0) {
      const about = { actor, subjectUserId: userId, client, details: { reason, removed } };
      await this.#deps.audit.insert({ event: 'trusted_device_removed', outcome: 'success', ...about }, trx);
    }
    return removed;
  }
}
