import { companyAuditEntryView, companyDetailsView } from '@latchkey/core/schemas';
import { COMPANY_ID, example, USER_ID } from './example.js';

/** Examples of the responses for administrators of a company. */
export const COMPANY_EXAMPLES = [
  example(companyDetailsView, {
    id: COMPANY_ID,
    name: 'Northwind Freight',
    modules: ['invoices', 'reports'],
    permissions: ['invoices:approve', 'invoices:read'],
    accessPolicyMode: 'ENFORCED',
    requiresSecondFactor: false,
    counts: { activeMembers: 42, openInvitations: 3 },
  }),
  example(companyAuditEntryView, {
    id: '01a1f917-0000-7000-8000-000000000007',
    occurredAt: '2026-11-20T13:09:18.235Z',
    event: 'invitation_created',
    outcome: 'success',
    actor: 'user',
    actorUserId: USER_ID,
    subjectUserId: null,
    companyId: COMPANY_ID,
    sessionId: '01a1f913-5d14-7023-b417-5c4708406d9b',
    ipAddress: '192.0.2.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    requestId: '6f1c0a8e-8d1b-4c7e-9a52-0f6f2b8f1d12',
    details: { role: 'MEMBER' },
    actedByUserId: null,
    actedByName: null,
    actorName: 'Ann Berg',
    subjectName: null,
  }),
];
