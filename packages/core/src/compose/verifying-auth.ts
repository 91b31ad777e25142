import type { AccessService } from '../access/access-service.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Logger } from '../kernel/logger.js';
import type { Authenticator } from '../sessions/authenticator.js';
import type { Settings } from '../settings/settings.js';
import type { AuthFacts } from './auth.js';
import type { AccessOptions } from './build-access.js';

/**
 * Options of a process that guards its routes and does nothing else with users.
 * @example
 * ```ts
 * const options: VerifyOnlyOptions = { verifyOnly: true, logger: console };
 * options.verifyOnly; // → true
 * ```
 */
export interface VerifyOnlyOptions extends AccessOptions {
  verifyOnly: true;
  /** pino or anything with its `debug`, `info`, `warn` and `error`; silent unless given. */
  logger?: Logger;
}

/**
 * What guards need of an `Auth`, and all that `createAuth` with `verifyOnly` gives. It reads and writes nothing; what
 * would sign or write is not there.
 * @example
 * ```ts
 * const emailOf = async ({ authenticator }: VerifyingAuth, accessToken: string): Promise<string> =>
 *   (await authenticator.authenticate(accessToken)).user.email;
 * const ann = await kit.user();
 * (await emailOf(kit.auth, ann.accessToken)) === ann.email; // → true
 * ```
 */
export interface VerifyingAuth {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly access: AccessService;
  /** Where guards report what they denied: the log, where nothing may be written. */
  readonly audit: Pick<AuditRepository, 'insert'>;
  readonly facts: Pick<AuthFacts, 'entitlements'>;
  /** True as soon as `close` was called. */
  readonly isClosed: boolean;
  /** Closes every connection. Calling it twice is fine. */
  close(): Promise<void>;
}
