import { passkeyView, statusOk, uuidInput } from '@latchkey/core/schemas';
import { staff, staffOrSelf } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route } from '../../routing/route.js';

/** The passkeys of other users. They are here while passkeys are off, too. */
export const userPasskeyRoutes: Route[] = [
  listRoute({
    path: '/internal/users/{id}/passkeys',
    operationId: 'listUserPasskeys',
    tag: 'Users',
    summary: 'List the passkeys of a user',
    description: 'Newest first. Also while `PASSKEYS_ENABLED` is off.',
    failures: ['not_found'],
    caller: staffOrSelf('read'),
    params: idOf('user'),
    item: passkeyView,
    handle: ({ auth, params, query }) => auth.admin.passkeys.listOfUser(params.id, query),
  }),
  route({
    method: 'delete',
    path: '/internal/users/{id}/passkeys/{passkeyId}',
    operationId: 'removeUserPasskey',
    tag: 'Users',
    summary: 'Remove a passkey of a user',
    description:
      'For a device that was lost. Notifies the user by mail; sessions that were opened with the passkey stay active.',
    failures: ['not_found', 'conflict'],
    caller: staff('reset-factors'),
    stepUp: { maxAge: 'STAFF_STEP_UP' },
    params: idOf('user').extend({ passkeyId: uuidInput.describe('Id of the passkey.') }),
    reply: statusOk,
    handle: ({ auth, caller, params: { id, passkeyId }, client }) =>
      auth.admin.factors.removePasskey(caller, id, passkeyId, client),
  }),
];
