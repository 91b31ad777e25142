import { accessQuery, explainedAccessView } from '@latchkey/core/schemas';
import { internalKey } from '../../callers/internal-key.js';
import { companyContext, idOf } from '../../http/request-input.js';
import { route } from '../../http/route.js';

export const userAccess = route({
  method: 'get',
  path: '/internal/admin/users/{id}/access',
  operationId: 'getUserAccess',
  tag: 'Users (machines)',
  summary: 'Get the access of a user in a company',
  description: 'Like `getMyAccess`, for any user of the company of `x-org`.',
  failures: ['not_found', 'pending_approval', 'registration_rejected', 'account_inactive'],
  caller: internalKey,
  headers: companyContext,
  params: idOf('user'),
  query: accessQuery,
  reply: explainedAccessView,
  handle: ({ auth, headers, params, query }) => auth.access.resolveOf(params.id, headers['x-org'], query),
});
