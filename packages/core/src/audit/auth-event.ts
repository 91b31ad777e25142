import type { AuditEventName } from './audit-event.js';
import type { AuditEntryView } from './audit-schema.js';

/**
 * The argument of listeners: an entry of the audit log, with the names of `GET /internal/admin/audit-logs`.
 * The time is missing, because the database writes it.
 */
export type AuthEvent = Omit<AuditEntryView, 'occurredAt' | 'event'> & { event: AuditEventName };

/** A function that receives events. It may return a promise. Errors that it throws are logged and have no other effect. */
export type AuthEventListener = (event: AuthEvent) => void | Promise<void>;
