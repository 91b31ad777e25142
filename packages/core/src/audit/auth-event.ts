import type { AuditEventName } from './audit-event.js';
import type { AuditEntryView } from './audit-schema.js';

/**
 * What listeners are told of: an entry of the audit log, with the names of `GET /internal/admin/audit-logs`. The time is
 * missing, because the database writes it.
 * @example
 * ```ts
 * const lineOf = ({ event, outcome, actor }: AuthEvent): string => `${event} ${outcome} by ${actor}`;
 * const heard = new Promise<string>((resolve) => kit.auth.on('user_deactivated', (event) => resolve(lineOf(event))));
 * const { id } = await kit.user();
 * await kit.auth.userAdministration.deactivate({ kind: 'operator', name: 'alice' }, id);
 * await heard; // → 'user_deactivated success by cli:alice'
 * ```
 */
export type AuthEvent = Omit<AuditEntryView, 'occurredAt' | 'event'> & { event: AuditEventName };

/**
 * May return a promise. What it throws is logged, and nobody else hears of it.
 * @example
 * ```ts
 * const seen: string[] = [];
 * const listener: AuthEventListener = ({ event }) => void seen.push(event);
 * const stop = kit.auth.on('*', listener);
 * stop();
 * ```
 */
export type AuthEventListener = (event: AuthEvent) => void | Promise<void>;
