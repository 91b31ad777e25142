import { join } from 'node:path';

/**
 * Where a service without `JWT_SIGNING_KEY_PEM` keeps the key it made, outside production.
 * @example
 * ```ts
 * developmentKeyFile('.latchkey'); // → '.latchkey/signing-key.pem'
 * ```
 */
export const developmentKeyFile = (dataDir: string): string => join(dataDir, 'signing-key.pem');
