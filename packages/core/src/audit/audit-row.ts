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
}

export function toAuditEntryView(row: AuditRow): AuditEntryView {
  return {
    id: row.id,
    occurredAt: row.occurred_at.toISOString(),
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
  };
}
