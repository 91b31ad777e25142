import { z } from 'zod';
import { AuthError, type Auth, type Passkeys } from '@latchkey/core';
import {
  passkeyCreationOptions,
  passkeyLoginInput,
  passkeyOptionsInput,
  passkeyPatchInput,
  passkeyRequestOptions,
  passkeyView,
  registerPasskeyInput,
  statusOk,
  tokenPair,
  type PasskeyOperation,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { signedIn } from '../../callers/signed-in.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route } from '../../routing/route.js';
import { changesCredentials, changesCredentialsByPassword } from './credential-change.js';
import { SIGN_IN_FAILURES } from './sign-in-failures.js';

const id = idOf('passkey');

/** Counts the responses of a passkey route. While passkeys are off, the route responds with 404 and counts nothing. */
const counted = (operation: PasskeyOperation) => ({
  offered: (auth: Auth) => auth.passkeys !== undefined,
  answered: (auth: Auth, status: number) =>
    auth.passkeyMetrics.record(operation, { status, succeeded: status < 400 }),
});

function passkeysOf({ passkeys }: Auth): Passkeys {
  if (!passkeys) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return passkeys;
}

const registrationOptions = route({
  method: 'post',
  path: '/auth/passkeys/register/options',
  operationId: 'createPasskeyRegistrationOptions',
  tag: 'Passkeys',
  summary: 'Start adding a passkey',
  description:
    'Requires the current password, or of an account without one a sign-in of the last 15 minutes. Returns the options for `navigator.credentials.create`. 409 for more than twenty passkeys.',
  failures: ['conflict'],
  limit: 'public-login',
  hashesPassword: true,
  caller: signedIn,
  stepUp: changesCredentialsByPassword,
  body: passkeyOptionsInput,
  reply: passkeyCreationOptions,
  ...counted('registrationOptions'),
  handle: ({ auth, caller, body, client }) =>
    passkeysOf(auth).registration.options(caller, body.currentPassword, client),
});

const registrationVerify = route({
  method: 'post',
  path: '/auth/passkeys/register/verify',
  operationId: 'verifyPasskeyRegistration',
  tag: 'Passkeys',
  summary: 'Add a passkey',
  description:
    'Takes the credential that the browser returned. The first second factor of a user ends their other sessions with one factor. 409 for a passkey that is already registered, and for more than twenty.',
  failures: ['conflict'],
  refusedWhileActing: true,
  caller: signedIn,
  stepUp: changesCredentialsByPassword,
  body: registerPasskeyInput,
  reply: passkeyView,
  status: 201,
  ...counted('registrationVerify'),
  handle: ({ auth, caller, body, client }) => passkeysOf(auth).registration.verify(caller, body, client),
});

const loginOptions = route({
  method: 'post',
  path: '/auth/passkeys/login/options',
  operationId: 'createPasskeyLoginOptions',
  tag: 'Passkeys',
  summary: 'Start a sign-in with a passkey',
  description: 'Returns the options for `navigator.credentials.get`.',
  limit: 'public-login',
  caller: anyone,
  body: z.object({}),
  bodyOptional: true,
  reply: passkeyRequestOptions,
  ...counted('loginOptions'),
  handle: ({ auth }) => passkeysOf(auth).login.options(),
});

const loginVerify = route({
  method: 'post',
  path: '/auth/passkeys/login/verify',
  operationId: 'verifyPasskeyLogin',
  tag: 'Passkeys',
  summary: 'Sign in with a passkey',
  description: 'Takes the credential that the browser returned. 401 if it is invalid for any reason.',
  failures: [...SIGN_IN_FAILURES, 'forbidden'],
  limit: 'public-login',
  caller: anyone,
  body: passkeyLoginInput,
  reply: tokenPair,
  issuesTokens: true,
  ...counted('loginVerify'),
  handle: ({ auth, body, client }) => passkeysOf(auth).login.verify(body.credential, client),
});

const list = listRoute({
  path: '/auth/passkeys',
  operationId: 'listPasskeys',
  tag: 'Passkeys',
  summary: 'List the passkeys of the signed-in user',
  description: 'Newest first.',
  caller: signedIn,
  item: passkeyView,
  ...counted('list'),
  handle: ({ auth, caller, query }) => passkeysOf(auth).own.list(caller, query),
});

const rename = route({
  method: 'patch',
  path: '/auth/passkeys/{id}',
  operationId: 'renamePasskey',
  tag: 'Passkeys',
  summary: 'Rename a passkey',
  description: 'Only the owner sees the name.',
  failures: ['not_found'],
  refusedWhileActing: true,
  caller: signedIn,
  params: id,
  body: passkeyPatchInput,
  reply: passkeyView,
  ...counted('rename'),
  handle: ({ auth, caller, params, body, client }) =>
    passkeysOf(auth).own.rename(caller, params.id, body.name, client),
});

const remove = route({
  method: 'delete',
  path: '/auth/passkeys/{id}',
  operationId: 'removePasskey',
  tag: 'Passkeys',
  summary: 'Remove a passkey',
  description: 'Sessions that were opened with it stay active.',
  failures: ['not_found'],
  caller: signedIn,
  stepUp: changesCredentials,
  params: id,
  reply: statusOk,
  ...counted('remove'),
  handle: ({ auth, caller, params, client }) => passkeysOf(auth).own.remove(caller, params.id, client),
});

export const passkeyRoutes: Route[] = [
  registrationOptions,
  registrationVerify,
  loginOptions,
  loginVerify,
  list,
  rename,
  remove,
];
