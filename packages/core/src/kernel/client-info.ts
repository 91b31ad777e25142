import type { ActingParty } from './acting-party.js';

/** Facts about the caller's machine: kept on sessions and audit rows, never trusted for a decision. */
export interface ClientInfo {
  /** The address as the trusted proxies report it. */
  ipAddress: string | null;
  /** At most 256 characters. */
  userAgent: string | null;
  /** The client's own name for itself (`X-Device-Name`), at most 100 characters. */
  deviceName: string | null;
  /**
   * An id that this device keeps, for instance in a cookie. It must be one that others cannot guess or choose. Without it
   * a device is recognized by its name and network.
   */
  deviceId?: string | undefined;
  /**
   * The secrets by which this browser is known as a trusted device, of each user who has trusted it. Undefined for a client that can keep
   * none: it is not asked whether to be trusted.
   */
  trustedDevices?: readonly string[] | undefined;
  /**
   * Who acts in the session of the request for its user. Every audit row of the request names them. Pass `act` of the
   * caller when you call a use case directly.
   */
  act?: ActingParty | undefined;
  /** The id that ties a response to its log lines and audit rows. */
  requestId: string | null;
}

/** A client without any known facts; the default of use cases. */
export const unknownClient: ClientInfo = {
  ipAddress: null,
  userAgent: null,
  deviceName: null,
  requestId: null,
};
