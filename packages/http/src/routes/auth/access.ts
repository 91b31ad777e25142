import { accessView } from '@latchkey/core/schemas';
import { memberOrKeyForAccess } from '../../callers/key-holder.js';
import { companyContext } from '../../exchange/request-input.js';
import { route } from '../../routing/route.js';

export const ownAccess = route({
  method: 'get',
  path: '/auth/me/access',
  operationId: 'getMyAccess',
  tag: 'Account',
  summary: 'Get the access of the caller in a company',
  description:
    'Modules, permissions and delegation in the company of `x-org`. 403 without an active membership and for an unknown company. 503 while the entitlements of the company are unavailable; try again. With an API key: what the key has in its company now; `x-org` may be left out, and another company is 403.',
  failures: ['forbidden'],
  caller: memberOrKeyForAccess,
  headers: companyContext,
  reply: accessView,
  handle: ({ auth, caller, headers: { 'x-org': companyId } }) =>
    caller.kind === 'api-key'
      ? auth.apiKeys.authenticator.accessOf(caller, companyId)
      : auth.access.resolve(caller, companyId),
});
