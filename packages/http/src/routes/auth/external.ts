import { z } from 'zod';
import { AuthError, type Auth, type External } from '@latchkey/core';
import {
  backchannelLogoutInput,
  externalConnections,
  externalIdentityView,
  finishedExternal,
  finishExternalInput,
  linkExternalInput,
  startedExternal,
  startExternalInput,
  statusOk,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { maybeSignedIn } from '../../callers/maybe-signed-in.js';
import { signedIn } from '../../callers/signed-in.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import { changesCredentials } from './credential-change.js';
import { SIGN_IN_FAILURES } from './sign-in-failures.js';

const id = idOf('linked account');

/** While no provider is configured, the routes respond with 404. */
const offered = (auth: Auth): boolean => auth.external !== undefined;

function externalOf({ external }: Auth): External {
  if (!external) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return external;
}

const connections = route({
  method: 'get',
  path: '/auth/external',
  operationId: 'listExternalConnections',
  tag: 'External providers',
  summary: 'List the services by which users can sign in',
  description: 'In the order of the settings, for the buttons of a page.',
  offered,
  caller: anyone,
  reply: externalConnections,
  handle: ({ auth }) => externalOf(auth).signIn.connections(),
});

const start = route({
  method: 'post',
  path: '/auth/external/start',
  operationId: 'startExternalSignIn',
  tag: 'External providers',
  summary: 'Begin a sign-in by another service',
  description:
    'The client makes a verifier of 43 to 128 characters, keeps it, and sends its S256 challenge. Send the browser to `authorizationUrl`, and the response with the verifier to `POST /auth/external/finish`, within ten minutes. The purposes `link` and `step-up` need the access token of the user; `step-up` needs a connection whose provider asks for the password again.',
  failures: ['unauthorized', 'forbidden', 'rate_limited', 'service_unavailable'],
  limit: 'public-login',
  atMost: '20 open at a time and address',
  offered,
  caller: maybeSignedIn,
  stepUp: { ...changesCredentials, when: 'for the purpose `link`' },
  body: startExternalInput,
  reply: startedExternal,
  handle: ({ auth, caller, body, client }) => externalOf(auth).signIn.start(body, caller, client),
});

const finish = route({
  method: 'post',
  path: '/auth/external/finish',
  operationId: 'finishExternalSignIn',
  tag: 'External providers',
  summary: 'End a sign-in by another service',
  description:
    'Takes the parameters of the response and the verifier. Returns tokens; `secondFactor` if one is required; `link` if the address has an account whose user must sign in as before and link this one; `identity` for the purpose `link`. Flows of the purposes `link` and `step-up` need the access token of the session that began them. A flow can be ended once.',
  failures: [...SIGN_IN_FAILURES, 'forbidden', 'registration_disabled', 'conflict', 'service_unavailable'],
  limit: 'public-login',
  offered,
  caller: maybeSignedIn,
  body: finishExternalInput,
  reply: finishedExternal,
  issuesTokens: true,
  handle: ({ auth, caller, body, client }) => externalOf(auth).signIn.finish(body, caller, client),
});

const link = route({
  method: 'post',
  path: '/auth/external/link',
  operationId: 'linkExternalIdentity',
  tag: 'External providers',
  summary: 'Link the account of a sign-in by another service',
  description:
    'Takes the `link.token` of that sign-in and its verifier, within 15 minutes, in a session of the user who has its address. 409 for an account that is linked already, and for more than ten.',
  failures: ['unauthorized', 'conflict'],
  limit: 'public-login',
  offered,
  caller: signedIn,
  stepUp: changesCredentials,
  body: linkExternalInput,
  reply: externalIdentityView,
  status: 201,
  handle: ({ auth, caller, body, client }) => externalOf(auth).identities.link(caller, body, client),
});

const list = route({
  method: 'get',
  path: '/auth/external/identities',
  operationId: 'listExternalIdentities',
  tag: 'External providers',
  summary: 'List the linked accounts of the signed-in user',
  description: 'The oldest first.',
  offered,
  caller: signedIn,
  reply: z.array(externalIdentityView),
  handle: ({ auth, caller }) => externalOf(auth).identities.list(caller),
});

const unlink = route({
  method: 'delete',
  path: '/auth/external/identities/{id}',
  operationId: 'unlinkExternalIdentity',
  tag: 'External providers',
  summary: 'Unlink an account',
  description:
    'Sessions that were opened with it end, also that of the request. 409, reason `last_sign_in_method`, for the only way to sign in.',
  failures: ['not_found', 'conflict'],
  offered,
  caller: signedIn,
  stepUp: changesCredentials,
  params: id,
  reply: statusOk,
  handle: ({ auth, caller, params, client }) => externalOf(auth).identities.remove(caller, params.id, client),
});

const backchannelLogout = route({
  method: 'post',
  path: '/auth/external/backchannel-logout',
  operationId: 'takeBackchannelLogout',
  tag: 'External providers',
  summary: 'Take the logout of a provider',
  description:
    'For providers, by OpenID Connect Back-Channel Logout 1.0: a form with `logout_token`. Ends the sessions that the token names, by `sid` or by `sub`. A token is accepted once.',
  failures: ['service_unavailable'],
  limit: 'anonymous-write',
  offered,
  caller: anyone,
  body: backchannelLogoutInput,
  bodyType: 'form',
  reply: statusOk,
  handle: ({ auth, body, client }) => externalOf(auth).logout.end(body, client),
});

/** The routes of sign-ins by other services. */
export const externalRoutes: Route[] = [connections, start, finish, link, list, unlink, backchannelLogout];
