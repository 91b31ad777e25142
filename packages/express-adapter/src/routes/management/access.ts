import { accessQuery, explainedAccessView, uuidInput } from '@latchkey/core/schemas';
import { z } from 'zod';
import { internalKey } from '../../callers/internal-key.js';
import { companyContext } from '../../http/request-input.js';
import { route } from '../../http/route.js';

export const userAccess = route({
  method: 'get',
  path: '/internal/admin/users/{id}/access',
  summary: 'What a user may do in a company, on request with the reasons',
  caller: internalKey,
  headers: companyContext,
  params: z.object({ id: uuidInput }),
  query: accessQuery,
  reply: explainedAccessView,
  handle: ({ auth, headers, params, query }) => auth.access.resolveOf(params.id, headers['x-org'], query),
});
