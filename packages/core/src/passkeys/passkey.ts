import type { User } from '../users/user.js';

/** WebAuthn Level 3 section 6.1.3: bound to one device, or carried along by a provider. It never changes. */
export const DEVICE_TYPES = ['singleDevice', 'multiDevice'] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** Of one user. More than a person has devices, fewer than an attacker could hide one among. */
export const MAX_PASSKEYS = 20;

/** How long a ceremony may take from its options to its answer, seconds. */
export const CEREMONY_SECONDS = 300;

const MAX_TRANSPORTS = 10;
const TRANSPORT = /^[a-z][a-z0-9-]{0,31}$/;

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string;
  name: string;
  deviceType: DeviceType;
  /** Whether the provider holds a copy, as of the last use. */
  backedUp: boolean;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** A passkey with whose it is. */
export interface OwnedPasskey extends Passkey {
  owner: Pick<User, 'id' | 'email' | 'fullName'>;
}

/** The public half of a passkey, as a verified registration gives it. */
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

/** A stored credential with what an assertion is checked against, and whose it is. */
export interface StoredCredential {
  passkeyId: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  deviceType: DeviceType;
  owner: User;
}

/** What a verified assertion says of its credential. */
export interface VerifiedUse {
  /** Uses so far, by the authenticator's count; 0 when it keeps none. */
  counter: number;
  deviceType: DeviceType;
  backedUp: boolean;
}

/** What a credential names its owner by: the 16 bytes of the user's id, which tell nobody anything else. */
export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/** WebAuthn Level 3 section 7.2 step 6: without a list of credentials, the handle must be there and be the owner's. */
export const isUserHandleOf = (userId: string, handle: string | null | undefined): boolean =>
  typeof handle === 'string' && Buffer.from(handle, 'base64url').equals(userHandleOf(userId));

/** Clients report transports unsigned: what cannot be one is dropped, unknown ones are kept (section 5.8.4). */
export const cleanTransports = (reported: readonly string[] = []): string[] =>
  [...new Set(reported.filter((transport) => TRANSPORT.test(transport)))].slice(0, MAX_TRANSPORTS);
