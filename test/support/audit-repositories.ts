import { AuditRepository } from '../../packages/core/src/audit/audit-repository.js';
import { AuthEvents } from '../../packages/core/src/audit/auth-events.js';
import { silentLogger } from '../../packages/core/src/kernel/logger.js';
import { SessionRepository } from '../../packages/core/src/sessions/session-repository.js';
import type { Database } from '../../packages/core/src/storage/database.js';

/** Returns an audit repository whose events have no listeners. */
export const auditRepository = (database: Database): AuditRepository =>
  new AuditRepository(database, new AuthEvents(silentLogger));

/** Returns a session repository whose audit events have no listeners. */
export const sessionRepository = (database: Database): SessionRepository =>
  new SessionRepository(database, auditRepository(database));
