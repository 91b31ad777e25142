import { accessView } from '@latchkey/core/schemas';
import { signedInMember } from '../../callers/signed-in.js';
import { companyContext } from '../../http/request-input.js';
import { route } from '../../http/route.js';

export const ownAccess = route({
  method: 'get',
  path: '/auth/me/access',
  operationId: 'getMyAccess',
  tag: 'Account',
  summary: 'Get what the caller may do in a company',
  description:
    'Modules, permissions and delegation in the company that `x-org` names. 403: no active membership, or no such company. 503: the entitlements of the company are not known at the moment; ask again.',
  failures: ['forbidden'],
  caller: signedInMember,
  headers: companyContext,
  reply: accessView,
  handle: ({ auth, caller, headers }) => auth.access.resolve(caller, headers['x-org']),
});
