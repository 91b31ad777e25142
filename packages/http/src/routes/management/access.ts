import type { Administrator } from '@latchkey/core';
import { accessQuery, explainedAccessView } from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { companyContext, idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import type { Audience } from '../../routing/tag.js';

/** The access of a user in a company, for one of its two mounts. */
export const userAccessRoute = (prefix: string, caller: Caller<Administrator>, audience: Audience): Route =>
  route({
    method: 'get',
    path: `${prefix}/{id}/access`,
    operationId: audience.named('getUserAccess'),
    tag: audience.tagged('Users'),
    summary: 'Get the access of a user in a company',
    description: 'Like `getMyAccess`, for any user of the company of `x-org`.',
    failures: ['not_found', 'pending_approval', 'registration_rejected', 'account_inactive'],
    caller,
    headers: companyContext,
    params: idOf('user'),
    query: accessQuery,
    reply: explainedAccessView,
    handle: ({ auth, headers, params, query }) => auth.access.resolveOf(params.id, headers['x-org'], query),
  });
