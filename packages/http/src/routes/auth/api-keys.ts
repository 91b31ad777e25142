import type { Auth } from '@latchkey/core';
import {
  apiKeyInput,
  apiKeyPatchInput,
  apiKeyView,
  exchangedApiKey,
  newApiKey,
  presentedApiKey,
  revokedApiKeys,
  rotateApiKeyInput,
  statusOk,
} from '@latchkey/core/schemas';
import { keyHolder, keyHolderForAccess } from '../../callers/key-holder.js';
import { signedIn } from '../../callers/signed-in.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route } from '../../routing/route.js';
import { changesCredentials } from './credential-change.js';

const id = idOf('API key');

const offersPersonal = ({ settings: { apiKeys } }: Auth): boolean =>
  apiKeys.mode === 'personal' || apiKeys.mode === 'all';
const offersAny = ({ settings: { apiKeys } }: Auth): boolean => apiKeys.mode !== 'off';

/** The options of all routes of own keys, of those that change one with a step-up, and of those that only end keys. */
const own = { tag: 'API keys', offered: offersPersonal, caller: signedIn } as const;
const changing = { ...own, stepUp: changesCredentials } as const;
const ending = { ...own, refusedWhileActing: true } as const;

const create = route({
  ...changing,
  method: 'post',
  path: '/auth/api-keys',
  operationId: 'createApiKey',
  summary: 'Make an API key',
  description:
    'The key is in the response and cannot be read later. It acts with the rights that its owner has at each use, in one company or in none, cut by its lists. 409 for more than 50 keys.',
  failures: ['forbidden', 'conflict', 'rate_limited', 'second_factor_required'],
  atMost: '20 an hour and user',
  body: apiKeyInput,
  reply: newApiKey,
  status: 201,
  handle: ({ auth, caller, body, client }) => auth.apiKeys.personal.create(caller, body, client),
});

const list = listRoute({
  ...own,
  path: '/auth/api-keys',
  operationId: 'listApiKeys',
  summary: 'List the API keys of the signed-in user',
  description: 'Newest first, without those that were revoked or have expired.',
  item: apiKeyView,
  handle: ({ auth, caller, query }) => auth.apiKeys.personal.list(caller, query),
});

const rename = route({
  ...changing,
  method: 'patch',
  path: '/auth/api-keys/{id}',
  operationId: 'renameApiKey',
  summary: 'Rename an API key',
  description: 'Only the name of a key can be changed.',
  failures: ['not_found'],
  params: id,
  body: apiKeyPatchInput,
  reply: apiKeyView,
  handle: ({ auth, caller, params, body, client }) =>
    auth.apiKeys.personal.rename(caller, params.id, body.name, client),
});

const rotate = route({
  ...changing,
  method: 'post',
  path: '/auth/api-keys/{id}/rotate',
  operationId: 'rotateApiKey',
  summary: 'Replace the text of an API key',
  description: 'The former key stops working at once, or after `overlap` seconds. The end of the key stays.',
  failures: ['not_found'],
  params: id,
  body: rotateApiKeyInput,
  bodyOptional: true,
  reply: newApiKey,
  handle: ({ auth, caller, params, body, client }) =>
    auth.apiKeys.personal.rotate(caller, params.id, body, client),
});

const revoke = route({
  ...ending,
  method: 'delete',
  path: '/auth/api-keys/{id}',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description: 'It stops working at once.',
  failures: ['not_found'],
  params: id,
  reply: statusOk,
  handle: ({ auth, caller, params, client }) => auth.apiKeys.personal.revoke(caller, params.id, client),
});

const revokeAll = route({
  ...ending,
  method: 'post',
  path: '/auth/api-keys/revoke-all',
  operationId: 'revokeAllApiKeys',
  summary: 'Revoke all API keys of the signed-in user',
  description: 'A sign-out everywhere and a change of the password leave keys as they are; this ends them.',
  reply: revokedApiKeys,
  handle: ({ auth, caller, client }) => auth.apiKeys.personal.revokeAll(caller, client),
});

const presented = route({
  method: 'get',
  path: '/auth/api-key',
  operationId: 'getPresentedApiKey',
  tag: 'API keys',
  summary: 'Get the API key of the request',
  description: 'With an API key as Bearer token: whose it is, its end, and its access in its company now.',
  offered: offersAny,
  caller: keyHolderForAccess,
  reply: presentedApiKey,
  handle: ({ auth, caller }) => auth.apiKeys.verification.describe(caller),
});

const exchange = route({
  method: 'post',
  path: '/auth/api-keys/exchange',
  operationId: 'exchangeApiKey',
  tag: 'API keys',
  summary: 'Exchange the API key of the request for a token',
  description:
    'With an API key as Bearer token: a token of the type `key+jwt` for services that verify tokens by themselves. It lives for at most 300 seconds, and services with the revocation feed refuse it once the key is revoked. This service does not accept it.',
  offered: offersAny,
  caller: keyHolder,
  reply: exchangedApiKey,
  handle: ({ auth, caller }) => auth.apiKeys.verification.exchange(caller),
});

/** The routes of personal API keys, and those for programs that have a key. */
export const apiKeyRoutes: Route[] = [presented, exchange, create, list, revokeAll, rename, rotate, revoke];
