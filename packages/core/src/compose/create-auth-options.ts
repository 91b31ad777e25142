import type { Logger } from '../kernel/logger.js';
import type { AccessOptions } from './build-access.js';
import type { AuthExtensions } from './extensions.js';

/**
 * What `createAuth` takes beside the settings; everything may be left out.
 * @example
 * ```ts
 * const options: CreateAuthOptions = {
 *   logger: console,
 *   migrate: false, // a step of the deployment has done it
 *   entitlements: () => ({ modules: ['billing'], accessPolicyMode: 'ENFORCED' }),
 * };
 * options.migrate; // → false
 * ```
 */
export interface CreateAuthOptions extends AccessOptions, AuthExtensions {
  /** pino or anything with its `debug`, `info`, `warn` and `error`; silent unless given. */
  logger?: Logger;
  /** Applies pending migrations first; true unless told otherwise. False only checks that there are none. */
  migrate?: boolean;
  /**
   * False queues mail and leaves sending it to another process on the same database, as one app beside the service does.
   * True unless told otherwise.
   */
  sendMail?: boolean;
}
