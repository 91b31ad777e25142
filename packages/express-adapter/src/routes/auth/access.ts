import { accessView } from '@latchkey/core/schemas';
import { signedInMember } from '../../callers/signed-in.js';
import { companyContext } from '../../http/request-input.js';
import { route } from '../../http/route.js';

export const ownAccess = route({
  method: 'get',
  path: '/auth/me/access',
  summary: 'What I may do in a company',
  caller: signedInMember,
  headers: companyContext,
  reply: accessView,
  handle: ({ auth, caller, headers }) => auth.access.resolve(caller, headers['x-org']),
});
