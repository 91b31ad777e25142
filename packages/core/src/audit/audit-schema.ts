import { z } from 'zod';
import { yesOrNo } from '../kernel/query-value.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { networkInput } from '../storage/network.js';
import { AUDIT_EVENTS } from './audit-event.js';

const OUTCOMES = ['success', 'failure', 'denied'] as const;
const timestamp = z.iso.datetime();
/** An instant as a Date or in ISO 8601. */
const instant = z
  .preprocess(
    (value: Date | string) => (isTime(value) ? value.toISOString() : value),
    z.iso.datetime({ offset: true, error: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' }),
  )
  .transform((text) => new Date(text));
const isTime = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime());

/** Schema of a search of the audit log; instants as `Date` or in ISO 8601. */
export const auditFilter = z.object({
  event: z.enum(AUDIT_EVENTS).optional().describe('Only entries of this event.'),
  outcome: z.enum(OUTCOMES).optional().describe('Only entries of this outcome.'),
  actorUserId: uuidInput.optional().describe('Only what this user did.'),
  actedByUserId: uuidInput.optional().describe('Only what this member of staff did for other users.'),
  subjectUserId: uuidInput.optional().describe('Only what was done to this user.'),
  userId: uuidInput.optional().describe('Only what this user did, or what was done to them.'),
  companyId: uuidInput.optional().describe('Only entries of this company.'),
  sessionId: uuidInput.optional().describe('Only entries of this session.'),
  ipAddress: networkInput
    .optional()
    .describe('Only entries from this IP address or network, such as `192.0.2.0/24`.'),
  from: instant.optional().describe('Only entries of this instant and later ones.'),
  to: instant.optional().describe('Only entries before this instant.'),
});
/** A search of the audit log; each field narrows it. */
export type AuditFilter = z.input<typeof auditFilter>;
export type CheckedAuditFilter = z.output<typeof auditFilter>;

/** Schema of the parameters of a list of audit entries: the filter, and whether the list follows the log. */
export const auditListInput = auditFilter.extend({
  tail: yesOrNo
    .optional()
    .describe('Whether to follow the log: oldest first, and every answer has a cursor for what comes next.'),
});

/** Schema of the same parameters for the log of one company, which shows the addresses of its members only. */
export const companyAuditListInput = auditListInput.omit({ companyId: true, ipAddress: true });
/** A search of the audit log of one company; each field narrows it. */
export type CompanyAuditFilter = Omit<AuditFilter, 'companyId' | 'ipAddress'>;

/** Schema of an entry of the audit log, as the route and the command line show it. */
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
    actedByUserId: z
      .guid()
      .nullable()
      .describe('The member of staff who acted in the session of the actor; null without one.'),
    actedByName: z
      .string()
      .nullable()
      .describe('Who acted in it, as a machine named them; null without one.'),
  })
  .meta({ id: 'AuditEntry' });
/** An entry of the audit log; the time in ISO 8601, null for unknown facts. */
export type AuditEntryView = z.output<typeof auditEntryView>;

/** Schema of an entry of the audit log as administrators of its company see it. */
export const companyAuditEntryView = auditEntryView
  .extend({
    ipAddress: auditEntryView.shape.ipAddress.describe(
      'Only of what a member did in a session of their own; null for platform staff and all others.',
    ),
    userAgent: auditEntryView.shape.userAgent.describe('As `ipAddress`.'),
    actorName: z
      .string()
      .nullable()
      .describe('Name or email of the actor, if they are or were a member; null otherwise.'),
    subjectName: z
      .string()
      .nullable()
      .describe('Name or email of the subject, if they are or were a member; null otherwise.'),
  })
  .meta({ id: 'CompanyAuditEntry' });
/** An entry of the audit log of a company. */
export type CompanyAuditEntryView = z.output<typeof companyAuditEntryView>;
