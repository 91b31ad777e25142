import { bytesOfBase64url } from '../kernel/base64url.js';
import type { User } from '../users/user.js';

/**
 * Device types of WebAuthn Level 3 section 6.1.3: bound to one device, or synced by a provider. The type of a
 * passkey never changes.
 */
export const DEVICE_TYPES = ['singleDevice', 'multiDevice'] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** Seconds that a ceremony may take from its options to its response. */
export const CEREMONY_SECONDS = 300;

const MAX_TRANSPORTS = 10;
const TRANSPORT = /^[a-z][a-z0-9-]{0,31}$/;

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string;
  name: string;
  deviceType: DeviceType;
  /** True if the provider holds a copy, as of the last use. */
  backedUp: boolean;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** A passkey with its owner. */
export interface OwnedPasskey extends Passkey {
  owner: Pick<User, 'id' | 'email' | 'fullName'>;
}

/** The public part of a passkey, from a verified registration. */
export interface NewCredential {
  /** base64url, of at most 1,023 bytes. */
  credentialId: string;
  /** A COSE key in CBOR. */
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  deviceType: DeviceType;
  backedUp: boolean;
  /** The model of the authenticator, a UUID; nil when it does not say. */
  aaguid: string;
  transports: string[];
}

/** A stored credential with its owner and the values that an assertion is checked against. */
export interface StoredCredential {
  passkeyId: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  deviceType: DeviceType;
  owner: User;
}

/** Facts about a credential from a verified assertion. */
export interface VerifiedUse {
  /** Uses so far, by the authenticator's count; 0 when it keeps none. */
  counter: number;
  deviceType: DeviceType;
  backedUp: boolean;
}

/** Returns the user handle of a credential: the 16 bytes of the user's id, which reveal nothing else. */
export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/**
 * Reports whether the handle identifies the user. Without a list of credentials it must be present (WebAuthn
 * Level 3 section 7.2 step 6).
 */
export const isUserHandleOf = (userId: string, handle: string | null | undefined): boolean =>
  typeof handle === 'string' && bytesOfBase64url(handle)?.equals(userHandleOf(userId)) === true;

/**
 * Returns the valid transports. Clients report them unsigned: malformed ones are dropped, unknown ones are
 * kept (section 5.8.4).
 */
export const cleanTransports = (reported: readonly string[] = []): string[] =>
  [...new Set(reported.filter((transport) => TRANSPORT.test(transport)))].slice(0, MAX_TRANSPORTS);
