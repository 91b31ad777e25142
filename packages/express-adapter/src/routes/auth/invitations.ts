import {
  acceptedInvitation,
  acceptInvitationInput,
  invitationInput,
  invitationPreview,
  invitationTokenInput,
  invitationView,
  uuidInput,
} from '@latchkey/core/schemas';
import { z } from 'zod';
import { anyone } from '../../callers/anyone.js';
import { maybeSignedIn } from '../../callers/maybe-signed-in.js';
import { signedInMember } from '../../callers/signed-in.js';
import { companyContext } from '../../http/request-input.js';
import { listRoute, route, type Route } from '../../http/route.js';

const id = z.object({ id: uuidInput });

const create = route({
  method: 'post',
  path: '/auth/invitations',
  summary: 'Invite an email to the company',
  atMost: '100 a day for each inviter',
  caller: signedInMember,
  headers: companyContext,
  body: invitationInput,
  reply: invitationView,
  status: 201,
  handle: ({ auth, caller, headers, body, client }) =>
    auth.invitations.create(caller, headers['x-org'], body, client),
});

const list = listRoute({
  path: '/auth/invitations',
  summary: 'Invitations of the company, newest first',
  caller: signedInMember,
  headers: companyContext,
  item: invitationView,
  handle: ({ auth, caller, headers, query }) => auth.invitations.list(caller, headers['x-org'], query),
});

const preview = route({
  method: 'get',
  path: '/auth/invitations/preview',
  summary: 'What the invitation of a token offers',
  caller: anyone,
  query: invitationTokenInput,
  reply: invitationPreview,
  handle: ({ auth, query }) => auth.invitations.preview(query.token),
});

const accept = route({
  method: 'post',
  path: '/auth/invitations/accept',
  summary: 'Join the company: a new user with a password, an existing one as they are',
  caller: maybeSignedIn,
  body: acceptInvitationInput,
  newPassword: 'password',
  reply: acceptedInvitation,
  issuesTokens: true,
  handle: ({ auth, caller, body, client }) => auth.invitationAcceptance.accept(body, caller, client),
});

const get = route({
  method: 'get',
  path: '/auth/invitations/{id}',
  summary: 'One invitation',
  caller: signedInMember,
  headers: companyContext.partial(),
  params: id,
  reply: invitationView,
  handle: ({ auth, caller, headers, params }) => auth.invitations.get(caller, params.id, headers['x-org']),
});

const resend = route({
  method: 'post',
  path: '/auth/invitations/{id}/resend',
  summary: 'Send an invitation anew; the link that is out stops working',
  atMost: '3 an hour for each invitation',
  caller: signedInMember,
  headers: companyContext,
  params: id,
  reply: invitationView,
  handle: ({ auth, caller, headers, params, client }) =>
    auth.invitations.resend(caller, headers['x-org'], params.id, client),
});

const cancel = route({
  method: 'delete',
  path: '/auth/invitations/{id}',
  summary: 'Take an invitation back',
  caller: signedInMember,
  headers: companyContext,
  params: id,
  reply: invitationView,
  handle: ({ auth, caller, headers, params, client }) =>
    auth.invitations.cancel(caller, headers['x-org'], params.id, client),
});

/** The fixed paths stand before the one that takes any id. */
export const invitationRoutes: Route[] = [create, list, preview, accept, get, resend, cancel];
