import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing, type ActingParty } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { newId } from '../kernel/id.js';
import { digestOf, digestsEqual, generateSecret } from '../kernel/secret.js';
import { checkId } from '../kernel/uuid-input.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { Database, Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from './trusted-device-removal.js';
import type { TrustedDeviceRepository } from './trusted-device-repository.js';
import {
  toTrustedDeviceView,
  type RemovedTrustedDevices,
  type TrustedDeviceView,
} from './trusted-device-schema.js';
import { MAX_TRUSTED_USERS, type KeptDevices } from './trusted-device.js';

const PREFIX = 'lkt_';
const DAY_SECONDS = 86_400;

/** The user who trusts a device. */
interface Owner {
  id: string;
  email: string;
  fullName: string | null;
}

export interface TrustedDeviceServiceDeps {
  readonly database: Database;
  readonly users: { lock(ids: readonly string[], trx: Transaction): Promise<unknown> };
  readonly trustedDevices: TrustedDeviceRepository;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly notices: SecurityNotices;
  readonly audit: AuditRepository;
  /** Days for which a device is trusted. */
  readonly days: number;
}

/** Trusts browsers on which users have proved a second factor, and shows and removes those of the caller. */
export class TrustedDeviceService {
  readonly #deps: TrustedDeviceServiceDeps;

  constructor(deps: TrustedDeviceServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Trusts the device of a sign-in whose second factor was proved, in the transaction of the sign-in, which holds the row of the user. The
   * user is notified by mail. The secret replaces the one that the user had in this browser; those of other users stay.
   * @param label the name of the device.
   */
  async add(
    user: Owner,
    { label, client }: { label: string | null; client: ClientInfo },
    trx: Transaction,
  ): Promise<KeptDevices> {
    const { trustedDevices, notices, days } = this.#deps;
    const { ipAddress } = client;
    const former = (client.trustedDevices ?? []).map((secret) => ({ secret, digest: digestOf(secret) }));
    const digests = former.map(({ digest }) => digest);
    const secret = generateSecret(PREFIX);
    const id = newId();
    const device = { id, userId: user.id, secretDigest: digestOf(secret), label, ipAddress, days };
    const evicted = await trustedDevices.add(device, digests, trx);
    const about = { userId: user.id, client };
    if (evicted > 0) await this.#recordRemoval({ ...about, reason: 'limit', removed: evicted }, trx);
    await this.#record(
      { ...about, event: 'trusted_device_added', details: { deviceId: id, label, days } },
      trx,
    );
    const payload = { fullName: user.fullName, device: label, days };
    await notices.enqueue(trx, { kind: 'trusted_device_added', recipient: user.email, payload });
    const live = await trustedDevices.findLive(digests, trx);
    const others = former.filter(({ digest }) => live.some((one) => digestsEqual(one, digest)));
    const secrets = [secret, ...others.map((one) => one.secret)].slice(0, MAX_TRUSTED_USERS);
    return { secrets, maxAgeSeconds: days * DAY_SECONDS };
  }

  /** Returns the trusted devices of the caller, newest first. */
  async list(caller: { userId: string }): Promise<TrustedDeviceView[]> {
    return (await this.#deps.trustedDevices.list(caller.userId)).map(toTrustedDeviceView);
  }

  /**
   * Removes a trusted device of the caller: the next sign-in there asks for a second factor. Sessions stay active.
   * @throws AuthError `not_found`, `forbidden` while an actor acts for the user.
   */
  async remove(
    caller: { userId: string; act?: ActingParty | undefined },
    id: string,
    client: ClientInfo = unknownClient,
  ): Promise<RemovedTrustedDevices> {
    id = checkId(id);
    assertNotActing(caller);
    const { userId } = caller;
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([userId], trx);
      if (!(await this.#deps.trustedDevices.remove(id, userId, trx)))
        throw AuthError.notFound('The trusted device', 'trusted_device_not_found');
      await this.#recordRemoval({ userId, client, deviceId: id, reason: 'removed', removed: 1 }, trx);
    });
    return { status: 'ok', removed: 1 };
  }

  /**
   * Removes every trusted device of the caller.
   * @throws AuthError `forbidden` while an actor acts for the user.
   */
  async removeAll(
    caller: { userId: string; act?: ActingParty | undefined },
    client: ClientInfo = unknownClient,
  ): Promise<RemovedTrustedDevices> {
    assertNotActing(caller);
    const { userId } = caller;
    const removed = await this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([userId], trx);
      const actor = { kind: 'user', userId } as const;
      return this.#deps.trustedDeviceRemoval.removeAllWithin(
        { userId, reason: 'removed', actor, client },
        trx,
      );
    });
    return { status: 'ok', removed };
  }

  #recordRemoval(
    {
      userId,
      client,
      ...details
    }: Pick<Recorded, 'userId' | 'client'> & { reason: string; removed: number; deviceId?: string },
    trx: Transaction,
  ): Promise<void> {
    return this.#record({ userId, client, event: 'trusted_device_removed', details }, trx);
  }

  async #record({ userId, ...what }: Recorded, trx: Transaction): Promise<void> {
    const actor = { kind: 'user', userId } as const;
    await this.#deps.audit.insert({ ...what, outcome: 'success', actor, subjectUserId: userId }, trx);
  }
}

/** A change of the devices of a user by the user. */
interface Recorded extends Pick<AuditEvent, 'event' | 'client' | 'details'> {
  userId: string;
}
