import { createHash } from 'node:crypto';

const ID_LENGTH = 16;

/** Returns the fingerprint of an encryption key: part of a digest, which says nothing about the key. */
export const encryptionKeyId = (key: Buffer): string =>
  createHash('sha256').update('latchkey encryption key\n').update(key).digest('hex').slice(0, ID_LENGTH);
