import { companyQuery, resolvedCompany, sessionView, uuidInput } from '@latchkey/core/schemas';
import type { Administrator } from '@latchkey/core';
import { z } from 'zod';
import type { Caller } from '../../callers/caller.js';
import { internalKey } from '../../callers/internal-key.js';
import { listRoute, route, type Route } from '../../http/route.js';

/** Lets in only where there is a finance database: known once the caller is, before anything else of the request. */
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
    summary: 'Which company is meant by an id, a code or a name?',
    caller: withFinanceDatabase(caller),
    query: companyQuery,
    reply: resolvedCompany,
    handle: ({ auth, query }) => auth.companies.resolve(query.raw),
  });

export const companySessions = listRoute({
  path: '/internal/admin/companies/{companyId}/sessions',
  summary: 'Active sessions of the users of one company',
  caller: internalKey,
  params: z.object({ companyId: uuidInput }),
  item: sessionView,
  handle: ({ auth, params, query }) => auth.sessionAdministration.list(params, query),
});
