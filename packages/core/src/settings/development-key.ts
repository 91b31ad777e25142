import { join } from 'node:path';

/**
 * Returns the file of the generated signing key, used without `JWT_SIGNING_KEY_PEM` outside production.
 * @example
 * ```ts
 * developmentKeyFile('.latchkey'); // → '.latchkey/signing-key.pem'
 * ```
 */
export const developmentKeyFile = (dataDir: string): string => join(dataDir, 'signing-key.pem');
