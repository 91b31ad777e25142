import { accessView } from '@latchkey/core/schemas';
import { memberWithRules } from '../../callers/signed-in.js';
import { companyContext } from '../../exchange/request-input.js';
import { route } from '../../routing/route.js';

export const ownAccess = route({
  method: 'get',
  path: '/auth/me/access',
  operationId: 'getMyAccess',
  tag: 'Account',
  summary: 'Get the access of the caller in a company',
  description:
    'Modules, permissions and delegation in the company of `x-org`. 403 without an active membership and for an unknown company. 503 while the entitlements of the company are unavailable; try again.',
  failures: ['forbidden'],
  caller: memberWithRules,
  headers: companyContext,
  reply: accessView,
  handle: ({ auth, caller, headers }) => auth.access.resolve(caller, headers['x-org']),
});
