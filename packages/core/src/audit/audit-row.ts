import type { AuditEventName } from './audit-event.js';
import type { AuditEntryView } from './audit-schema.js';

export interface AuditRow {
  id: string;
  occurred_at: Date;
  event: string;
  outcome: 'success' | 'failure' | 'denied';
  actor: string;
  actor_user_id: string | null;
  subject_user_id: string | null;
  company_id: string | null;
  session_id: string | null;
  ip_address: string | null;
  user_agent: string | null;
  request_id: string | null;
  details: Record<string, unknown>;
  /** Who acted in the session of the actor; of both columns at most one has a value. */
  acted_by_user_id: string | null;
  acted_by_name: string | null;
}

/** A row as it is written, before the database gives it a time. */
export type NewAuditRow = Omit<AuditRow, 'occurred_at' | 'event'> & { event: AuditEventName };

export function toAuditEntryView(row: AuditRow): AuditEntryView {
  const { id, ...entry } = withoutTime(row);
  return { id, occurredAt: row.occurred_at.toISOString(), ...entry };
}

/** Returns the row with the names of an entry, without the time, which a new row does not have yet. */
export const withoutTime = <Event extends string>(
  row: Omit<AuditRow, 'occurred_at' | 'event'> & { event: Event },
): Omit<AuditEntryView, 'occurredAt' | 'event'> & { event: Event } => ({
  id: row.id,
  event: row.event,
  outcome: row.outcome,
  actor: row.actor,
  actorUserId: row.actor_user_id,
  subjectUserId: row.subject_user_id,
  companyId: row.company_id,
  sessionId: row.session_id,
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  requestId: row.request_id,
  details: row.details,
  actedByUserId: row.acted_by_user_id,
  actedByName: row.acted_by_name,
});
