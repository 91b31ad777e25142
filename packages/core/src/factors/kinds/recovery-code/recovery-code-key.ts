import { createHmac, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** Generates the key of a set of recovery codes. */
export const generateRecoveryCodeKey = (): Buffer => randomBytes(KEY_BYTES);

/** Returns what the key of a set is encrypted for: it cannot be read in the rows of another user. */
export const placeOfRecoveryCodes = (userId: string): string => `recovery-codes:${userId}`;

/**
 * Returns the stored form of a code. It is made from the digest, not from the code, so that digests of earlier versions and of
 * imports get a key without their codes.
 */
export const keyedDigest = (key: Buffer, digest: Buffer): Buffer =>
  createHmac('sha256', key).update(digest).digest();
