import type { AccessService } from '../access/access-service.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Logger } from '../kernel/logger.js';
import type { Authenticator } from '../sessions/authenticator.js';
import type { Settings } from '../settings/settings.js';
import type { ApiKeys, AuthFacts } from './auth.js';
import type { AccessOptions } from './open-entitlements.js';

/** Options of a process that only guards its routes. */
export interface VerifyOnlyOptions extends AccessOptions {
  verifyOnly: true;
  /** pino or anything with its `debug`, `info`, `warn` and `error`. Defaults to no logging. */
  logger?: Logger;
}

/**
 * The part of `Auth` that guards require; `createAuth` returns no more with `verifyOnly`. It reads and never writes;
 * members that sign or write are missing.
 */
export interface VerifyingAuth {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly access: AccessService;
  readonly apiKeys: Pick<ApiKeys, 'authenticator'>;
  /** Records denied requests: in the application log, because the database is only read. */
  readonly audit: Pick<AuditRepository, 'insert'>;
  readonly facts: Pick<AuthFacts, 'entitlements'>;
  /** True as soon as `close` was called. */
  readonly isClosed: boolean;
  /** Closes every connection. Calling it twice is fine. */
  close(): Promise<void>;
}
