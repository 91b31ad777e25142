import { createHash } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { CoseKey } from './cose-key-pair.js';

/** The flags of authenticator data (WebAuthn Level 3 section 6.1). */
export interface AuthenticatorFlags {
  /** User present. */
  UP: boolean;
  /** User verified. */
  UV: boolean;
  /** Backup eligible: a key that may live on several devices. Never changes (section 6.1.3). */
  BE: boolean;
  /** Backed up now; only what is eligible can be. */
  BS: boolean;
  /** Attested credential data follows. */
  AT: boolean;
  /** Extensions follow. */
  ED: boolean;
}

/** The attested credential data of a registration (section 6.5.1). */
export interface AttestedCredential {
  /** 16 bytes that name the make of the authenticator. */
  aaguid: Buffer;
  credentialId: Buffer;
  publicKey: CoseKey;
}

export interface AuthenticatorData {
  rpId: string;
  flags: AuthenticatorFlags;
  signCount: number;
  attested: AttestedCredential | undefined;
}

/** The bytes of section 6.1: 32 of the relying party, flags, four of the counter, then what the flags announce. */
export function encodeAuthenticatorData({ rpId, flags, signCount, attested }: AuthenticatorData): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(signCount);
  const start = [sha256(rpId), Buffer.from([byteOf(flags)]), counter];
  return Buffer.concat(attested ? [...start, encodeAttestedCredential(attested)] : start);
}

export const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

function encodeAttestedCredential({ aaguid, credentialId, publicKey }: AttestedCredential): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credentialId.length);
  return Buffer.concat([aaguid, length, credentialId, isoCBOR.encode(publicKey)]);
}

const BITS: Record<keyof AuthenticatorFlags, number> = { UP: 0, UV: 2, BE: 3, BS: 4, AT: 6, ED: 7 };

function byteOf(flags: AuthenticatorFlags): number {
  const names = Object.keys(BITS) as (keyof AuthenticatorFlags)[];
  return names.reduce((byte, name) => byte | (Number(flags[name]) << BITS[name]), 0);
}
