import type { Logger } from '../kernel/logger.js';
import type { AuthExtensions } from './extensions.js';
import type { AccessOptions } from './open-entitlements.js';

/** Options of `createAuth`; all are optional. */
export interface CreateAuthOptions extends AccessOptions, AuthExtensions {
  /** pino or anything with its `debug`, `info`, `warn` and `error`. Defaults to no logging. */
  logger?: Logger;
  /** Applies pending migrations first. Defaults to true; false only checks that there are none. */
  migrate?: boolean;
  /**
   * Sends queued mail. Defaults to true; false leaves it to another process on the same database, such as the service.
   */
  sendMail?: boolean;
}
