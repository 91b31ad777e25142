import type { Administrator } from '@latchkey/core';
import {
  businessUnitInput,
  companyFilter,
  companyQuery,
  companyView,
  resolvedCompany,
  sessionView,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
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

export const companySessions = listRoute({
  path: '/internal/admin/companies/{companyId}/sessions',
  operationId: 'listCompanySessions',
  tag: 'Sessions (machines)',
  summary: 'List the active sessions of a company',
  description: 'Sessions of its active members.',
  caller: internalKey,
  params: businessUnitInput.pick({ companyId: true }),
  item: sessionView,
  grows: true,
  handle: ({ auth, params: { companyId }, query }) => auth.admin.sessions.list({ companyId }, query),
});
