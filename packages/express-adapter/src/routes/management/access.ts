import { explainedAccessView } from '@latchkey/core';
import { z } from 'zod';
import { internalKey } from '../../callers/internal-key.js';
import { companyContext, uuidInput } from '../../http/request-input.js';
import { route } from '../../http/route.js';

const yesOrNo = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

export const userAccess = route({
  method: 'get',
  path: '/internal/admin/users/{id}/access',
  summary: 'What a user may do in a company, on request with the reasons',
  caller: internalKey,
  headers: companyContext,
  params: z.object({ id: uuidInput }),
  query: z.object({ explain: yesOrNo.default(false) }),
  reply: explainedAccessView,
  handle: ({ auth, headers, params, query }) => auth.access.resolveOf(params.id, headers['x-org'], query),
});
