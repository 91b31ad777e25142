import { z } from 'zod';
import { AUDIT_EVENTS } from './audit-event.js';

const OUTCOMES = ['success', 'failure', 'denied'] as const;
const timestamp = z.iso.datetime();
const uuid = z.guid('must be a UUID').transform((text) => text.toLowerCase());
const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
  .transform((text) => new Date(text));

export const auditFilter = z.object({
  event: z.enum(AUDIT_EVENTS).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  actorUserId: uuid.optional(),
  subjectUserId: uuid.optional(),
  companyId: uuid.optional(),
  sessionId: uuid.optional(),
  /** From this instant on. */
  from: instant.optional(),
  /** Before this instant. */
  to: instant.optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;

export const auditEntryView = z
  .object({
    id: z.guid(),
    occurredAt: timestamp,
    event: z.string(),
    outcome: z.enum(OUTCOMES),
    actor: z.string(),
    actorUserId: z.guid().nullable(),
    subjectUserId: z.guid().nullable(),
    companyId: z.guid().nullable(),
    sessionId: z.guid().nullable(),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryView = z.output<typeof auditEntryView>;
