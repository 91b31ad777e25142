import { join } from 'node:path';

/** Where a service without `JWT_SIGNING_KEY_PEM` keeps the key it made, outside production. */
export const developmentKeyFile = (dataDir: string): string => join(dataDir, 'signing-key.pem');
