import { randomBytes } from 'node:crypto';

/**
 * Generates a key for `ENCRYPTION_KEYS`: 32 bytes as base64.
 * @example
 * ```ts
 * const key = generateEncryptionKey();
 * Buffer.from(key, 'base64').length; // → 32
 * ```
 */
export const generateEncryptionKey = (): string => randomBytes(32).toString('base64');
