import type { Administrator } from '@latchkey/core';
import {
  businessUnitInput,
  companyAuditEntryView,
  companyAuditListInput,
  companyDetailsView,
  companyFilter,
  companyMembershipKeyInput,
  companyQuery,
  companyView,
  explainedAccessView,
  resolvedCompany,
  sessionView,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { companyAdministrator, companyReader } from '../../callers/company-admin.js';
import { internalKey } from '../../callers/internal-key.js';
import { staff } from '../../callers/staff.js';
import { cursorRoute, listRoute, route, type Route } from '../../routing/route.js';

/** Requires a finance database: checked after the caller is identified and before the input is validated. */
const withFinanceDatabase = (caller: Caller<Administrator>): Caller<Administrator> => ({
  ...caller,
  identify: async (request) => {
    const identity = await caller.identify(request);
    request.auth.companies.assertConfigured();
    return identity;
  },
});

export const resolveCompanyRoute = (caller: Caller<Administrator>): Route =>
  route({
    method: 'get',
    path: '/internal/companies/resolve',
    operationId: 'resolveCompany',
    tag: 'Companies',
    summary: 'Find a company by id, code or name',
    description:
      '404 without a match, 409 for several equal matches, 503 `finance_db_not_configured` without a finance database.',
    failures: ['not_found', 'conflict', 'finance_db_not_configured'],
    caller: withFinanceDatabase(caller),
    query: companyQuery,
    reply: resolvedCompany,
    handle: ({ auth, query }) => auth.companies.resolve(query.raw),
  });

export const allCompanies = cursorRoute({
  path: '/internal/companies',
  operationId: 'listCompanies',
  tag: 'Companies',
  summary: 'List the companies that have members or invitations',
  description:
    'By name, then those without a known name by id. A name is that of the entitlements, else that of the latest invitation ' +
    'with one; no other service is asked. The cursor of the next page is in `X-Next-Cursor`; the last page has none.',
  caller: staff('read'),
  filter: companyFilter,
  item: companyView,
  handle: ({ auth, query: { limit, cursor, ...filter } }) => auth.companies.list(filter, { limit, cursor }),
});

const ofCompany = businessUnitInput.pick({ companyId: true });

export const companyDetails = route({
  method: 'get',
  path: '/internal/companies/{companyId}',
  operationId: 'getCompany',
  tag: 'Companies',
  summary: 'Get a company',
  description:
    'What it is entitled to, and how many belong to it. Its name is that of its entitlements, else that of the latest ' +
    'invitation with one. 403 for an unknown company. 503 while the entitlements are unavailable; try again.',
  caller: companyReader,
  params: ofCompany,
  reply: companyDetailsView,
  handle: ({ auth, params: { companyId } }) => auth.access.company(companyId),
});

export const companyAuditLogs = cursorRoute({
  path: '/internal/companies/{companyId}/audit-logs',
  operationId: 'listCompanyAuditEntries',
  tag: 'Companies',
  summary: 'List the audit log of a company',
  description:
    'Entries of this company only, paged and followed like `listAuditEntries`. Network addresses and browsers are those of ' +
    'members in sessions of their own: null for platform staff, machines and everyone outside the company.',
  caller: companyAdministrator,
  params: ofCompany,
  filter: companyAuditListInput,
  item: companyAuditEntryView,
  handle: ({ auth, params: { companyId }, query: { limit, cursor, tail, ...filter } }) =>
    auth.companyActivity.list(companyId, filter, { limit, cursor, tail }),
});

export const memberAccess = route({
  method: 'get',
  path: '/internal/companies/{companyId}/users/{userId}/access',
  operationId: 'getMemberAccess',
  tag: 'Members',
  summary: 'Explain the access of a member of a company',
  description:
    'Modules, permissions and delegation in this company, with the reason for each module. 404 for everyone without an active ' +
    'membership of it.',
  failures: ['not_found', 'pending_approval', 'registration_rejected', 'account_inactive'],
  caller: companyReader,
  params: companyMembershipKeyInput,
  reply: explainedAccessView,
  handle: ({ auth, params: { companyId, userId } }) => auth.access.explainMember(companyId, userId),
});

export const companySessions = listRoute({
  path: '/internal/admin/companies/{companyId}/sessions',
  operationId: 'listCompanySessions',
  tag: 'Sessions (machines)',
  summary: 'List the active sessions of a company',
  description: 'Sessions of its active members.',
  caller: internalKey,
  params: ofCompany,
  item: sessionView,
  grows: true,
  handle: ({ auth, params: { companyId }, query }) => auth.admin.sessions.list({ companyId }, query),
});
