import { AuthError, type Auth, type Passkeys } from '@latchkey/core';
import {
  PASSKEY_REMOVAL_MAX_AGE,
  passkeyCreationOptions,
  passkeyLoginInput,
  passkeyOptionsInput,
  passkeyPatchInput,
  passkeyRequestOptions,
  passkeyView,
  registerPasskeyInput,
  statusOk,
  tokenPair,
  uuidInput,
  type PasskeyOperation,
} from '@latchkey/core/schemas';
import { z } from 'zod';
import { anyone } from '../../callers/anyone.js';
import { signedIn } from '../../callers/signed-in.js';
import { listRoute, route, type Route } from '../../http/route.js';

const id = z.object({ id: uuidInput });

/** While passkeys are off their routes are not there, and nothing of them is counted. */
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
  summary: 'Begin to add a passkey to my account; needs my password once more',
  limit: 'public-login',
  hashesPassword: true,
  caller: signedIn,
  body: passkeyOptionsInput,
  reply: passkeyCreationOptions,
  ...counted('registrationOptions'),
  handle: ({ auth, caller, body, client }) =>
    passkeysOf(auth).registration.options(caller, body.currentPassword, client),
});

const registrationVerify = route({
  method: 'post',
  path: '/auth/passkeys/register/verify',
  summary: 'Add the passkey that my authenticator has made',
  caller: signedIn,
  body: registerPasskeyInput,
  reply: passkeyView,
  status: 201,
  ...counted('registrationVerify'),
  handle: ({ auth, caller, body, client }) => passkeysOf(auth).registration.verify(caller, body, client),
});

const loginOptions = route({
  method: 'post',
  path: '/auth/passkeys/login/options',
  summary: 'Begin to sign in with a passkey',
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
  summary: 'Sign in with what my authenticator has signed',
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
  summary: 'My passkeys, newest first',
  caller: signedIn,
  item: passkeyView,
  ...counted('list'),
  handle: ({ auth, caller, query }) => passkeysOf(auth).own.list(caller, query),
});

const rename = route({
  method: 'patch',
  path: '/auth/passkeys/{id}',
  summary: 'Rename one of my passkeys',
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
  summary: 'Remove one of my passkeys; needs a recent sign-in',
  caller: signedIn,
  maxAgeSeconds: PASSKEY_REMOVAL_MAX_AGE,
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
