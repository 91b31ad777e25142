import { join } from 'node:path';

/**
 * Returns the file of the generated signing key, used without `JWT_SIGNING_KEY_PEM` outside production.
 * @example
 * ```ts
 * developmentKeyFile('.latchkey'); // → '.latchkey/signing-key.pem'
 * ```
 */
export const developmentKeyFile = (dataDir: string): string => join(dataDir, 'signing-key.pem');

/**
 * Returns the file of the generated encryption key, used without `ENCRYPTION_KEYS` outside production.
 * @example
 * ```ts
 * factorKeyFile('.latchkey'); // → '.latchkey/factor-encryption-key'
 * ```
 */
export const factorKeyFile = (dataDir: string): string => join(dataDir, 'factor-encryption-key');
