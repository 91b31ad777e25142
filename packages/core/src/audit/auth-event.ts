import type { AuditEventName } from './audit-event.js';
import type { AuditEntryView } from './audit-schema.js';

/**
 * The argument of listeners: an entry of the audit log, with the names of `GET /internal/admin/audit-logs`.
 * The time is missing, because the database writes it.
 * @example
 * ```ts
 * const lineOf = ({ event, outcome, actor }: AuthEvent): string => `${event} ${outcome} by ${actor}`;
 * const line = new Promise<string>((resolve) => kit.auth.on('user_deactivated', (event) => resolve(lineOf(event))));
 * const { id } = await kit.user();
 * await kit.auth.admin.users.deactivate({ kind: 'operator', name: 'alice' }, id);
 * await line; // → 'user_deactivated success by cli:alice'
 * ```
 */
export type AuthEvent = Omit<AuditEntryView, 'occurredAt' | 'event'> & { event: AuditEventName };

/**
 * A function that receives events. It may return a promise. Errors that it throws are logged and have no other effect.
 * @example
 * ```ts
 * const seen: string[] = [];
 * const listener: AuthEventListener = ({ event }) => void seen.push(event);
 * const stop = kit.auth.on('*', listener);
 * stop();
 * ```
 */
export type AuthEventListener = (event: AuthEvent) => void | Promise<void>;
