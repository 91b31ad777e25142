import type { ClientInfo } from '../kernel/client-info.js';
import { digestOf } from '../kernel/secret.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';

/**
 * Returns the digest that identifies the device of a sign-in: of the id that a browser keeps in its cookie, else of the name
 * of the device together with its network. Undefined for a client of which nothing is known.
 * @param deviceName the name by which sessions of this client are listed.
 */
export function deviceDigestOf(client: ClientInfo, deviceName: string | null): Buffer | undefined {
  if (client.deviceId !== undefined) return digestOf(`browser\n${client.deviceId}`);
  if (deviceName === null && client.ipAddress === null) return undefined;
  return digestOf(`machine\n${ipBucket(client.ipAddress)}\n${deviceName ?? ''}`);
}
