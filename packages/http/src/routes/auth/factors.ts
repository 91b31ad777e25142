import { z } from 'zod';
import {
  beginTotpInput,
  confirmedFactor,
  confirmTotpInput,
  ownFactors,
  renewedRecoveryCodes,
  statusOk,
  totpEnrolment,
} from '@latchkey/core/schemas';
import { signedIn } from '../../callers/signed-in.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import { changesCredentials } from './credential-change.js';
import { factorsOf, offeredWithFactors } from './factors-of.js';

const id = idOf('second factor');

const list = route({
  method: 'get',
  path: '/auth/factors',
  operationId: 'listFactors',
  tag: 'Second factor',
  summary: 'List the second factors of the signed-in user',
  description: 'Newest first, with the number of unused recovery codes.',
  caller: signedIn,
  reply: ownFactors,
  ...offeredWithFactors,
  handle: ({ auth, caller }) => factorsOf(auth).own.list(caller),
});

const begin = route({
  method: 'post',
  path: '/auth/factors/totp',
  operationId: 'beginTotpEnrolment',
  tag: 'Second factor',
  summary: 'Start adding an authenticator app',
  description:
    'Returns the secret as text and as QR code. The app is used once it is confirmed, within ten minutes. 409 for more than five apps.',
  failures: ['conflict'],
  caller: signedIn,
  stepUp: changesCredentials,
  body: beginTotpInput,
  bodyOptional: true,
  reply: totpEnrolment,
  status: 201,
  ...offeredWithFactors,
  handle: ({ auth, caller, body }) => factorsOf(auth).own.begin(caller, body),
});

const confirm = route({
  method: 'post',
  path: '/auth/factors/totp/{id}/confirm',
  operationId: 'confirmTotpEnrolment',
  tag: 'Second factor',
  summary: 'Add an authenticator app',
  description:
    'Takes a code of the app. The first app comes with recovery codes, which are shown this once. The first second factor of a user ends their other sessions with one factor. Ten wrong codes in a row end the session.',
  failures: ['not_found', 'conflict'],
  limit: 'public-login',
  caller: signedIn,
  stepUp: changesCredentials,
  params: id,
  body: confirmTotpInput,
  reply: confirmedFactor,
  ...offeredWithFactors,
  handle: ({ auth, caller, params, body, client }) =>
    factorsOf(auth).own.confirm(caller, params.id, body.code, client),
});

const remove = route({
  method: 'delete',
  path: '/auth/factors/{id}',
  operationId: 'removeFactor',
  tag: 'Second factor',
  summary: 'Remove a second factor',
  description: 'Recovery codes are removed with the last one.',
  failures: ['not_found'],
  caller: signedIn,
  stepUp: changesCredentials,
  params: id,
  reply: statusOk,
  ...offeredWithFactors,
  handle: ({ auth, caller, params, client }) => factorsOf(auth).own.remove(caller, params.id, client),
});

const renewRecoveryCodes = route({
  method: 'post',
  path: '/auth/factors/recovery-codes',
  operationId: 'renewRecoveryCodes',
  tag: 'Second factor',
  summary: 'Create new recovery codes',
  description: 'The codes before no longer work. 409 without an authenticator app.',
  failures: ['conflict'],
  caller: signedIn,
  stepUp: changesCredentials,
  body: z.object({}),
  bodyOptional: true,
  reply: renewedRecoveryCodes,
  ...offeredWithFactors,
  handle: ({ auth, caller, client }) => factorsOf(auth).own.renewRecoveryCodes(caller, client),
});

/** The routes of the caller's own second factors. Fixed paths come before the path with an id. */
export const factorRoutes: Route[] = [list, begin, renewRecoveryCodes, confirm, remove];
