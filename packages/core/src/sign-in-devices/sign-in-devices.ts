import type { ClientInfo } from '../kernel/client-info.js';
import { newId } from '../kernel/id.js';
import { digestOf } from '../kernel/secret.js';
import type { MailForStatement } from '../mail/outbox-repository.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { Transaction } from '../storage/database.js';

/** The device of a sign-in, and the mail to the user if it turns out to be a new one. */
export interface SignInDevice {
  digest: Buffer;
  notice: MailForStatement;
}

/** Recognizes the devices from which users sign in. Nothing is recorded while no notice would be delivered. */
export class SignInDevices {
  readonly #notices: SecurityNotices;

  constructor(notices: SecurityNotices) {
    this.#notices = notices;
  }

  /** Returns undefined if the client cannot be recognized again, or if it does not matter. */
  describe(client: ClientInfo, deviceName: string | null): SignInDevice | undefined {
    const digest = this.#notices.delivers ? deviceDigestOf(client, deviceName) : undefined;
    if (!digest) return undefined;
    const payload = { device: deviceName, ipAddress: client.ipAddress };
    return { digest, notice: { id: newId(), kind: 'new_device', payload } };
  }

  /** Sends the notices after the commit that the statement of a sign-in has queued. */
  sendQueued(trx?: Transaction): void {
    this.#notices.sendQueued(trx);
  }
}

/**
 * Returns the digest that identifies the device of a sign-in: of the id that a browser keeps in its cookie, else of the name
 * of the device together with its network. Undefined for a client of which nothing is known.
 * @param deviceName the name by which sessions of this client are listed.
 */
function deviceDigestOf(client: ClientInfo, deviceName: string | null): Buffer | undefined {
  if (client.deviceId !== undefined) return digestOf(`browser\n${client.deviceId}`);
  if (deviceName === null && client.ipAddress === null) return undefined;
  return digestOf(`machine\n${ipBucket(client.ipAddress)}\n${deviceName ?? ''}`);
}
