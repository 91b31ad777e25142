import type { Auth } from '@latchkey/core';
import { apiKeyView, statusOk, uuidInput } from '@latchkey/core/schemas';
import { staff, staffOrSelf } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route } from '../../routing/route.js';

const offered = ({ settings: { apiKeys } }: Auth): boolean =>
  apiKeys.mode === 'personal' || apiKeys.mode === 'all';

/** The personal API keys of other users. */
export const userApiKeyRoutes: Route[] = [
  listRoute({
    path: '/internal/users/{id}/api-keys',
    operationId: 'listUserApiKeys',
    tag: 'Users',
    summary: 'List the API keys of a user',
    description:
      'Newest first, without those that were revoked or have expired, and without keys of companies.',
    failures: ['not_found'],
    offered,
    caller: staffOrSelf('read'),
    params: idOf('user'),
    item: apiKeyView,
    handle: ({ auth, params, query }) => auth.admin.apiKeys.listOfUser(params.id, query),
  }),
  route({
    method: 'delete',
    path: '/internal/users/{id}/api-keys/{keyId}',
    operationId: 'revokeUserApiKey',
    tag: 'Users',
    summary: 'Revoke an API key of a user',
    description: 'For staff who may end the sessions of the user. It stops working at once.',
    failures: ['not_found'],
    offered,
    refusedWhileActing: true,
    caller: staff('revoke-sessions'),
    params: idOf('user').extend({ keyId: uuidInput.describe('Id of the API key.') }),
    reply: statusOk,
    handle: ({ auth, caller, params: { id, keyId }, client }) =>
      auth.admin.apiKeys.revokeOfUser(caller, id, keyId, client),
  }),
];
