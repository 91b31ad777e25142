import {
  acceptedInvitation,
  acceptInvitationInput,
  invitationInput,
  invitationPreview,
  invitationTokenInput,
  invitationView,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { maybeSignedIn } from '../../callers/maybe-signed-in.js';
import { member } from '../../callers/signed-in.js';
import { companyContext, idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route } from '../../routing/route.js';

const id = idOf('invitation');

const create = route({
  method: 'post',
  path: '/auth/invitations',
  operationId: 'createInvitation',
  tag: 'Invitations',
  summary: 'Invite an email address to a company',
  description:
    'Sends a mail with a link. The offer cannot exceed what the caller may grant. 409 if an invitation is pending or the user is already a member.',
  failures: ['forbidden', 'not_found', 'conflict'],
  atMost: '100 per day and inviter',
  refusedWhileActing: true,
  caller: member,
  headers: companyContext,
  body: invitationInput,
  reply: invitationView,
  status: 201,
  handle: ({ auth, caller, headers, body, client }) =>
    auth.invitations.create(caller, headers['x-org'], body, client),
});

const list = listRoute({
  path: '/auth/invitations',
  operationId: 'listInvitations',
  tag: 'Invitations',
  summary: 'List the invitations of a company',
  description: 'Newest first, in any status.',
  failures: ['forbidden'],
  caller: member,
  headers: companyContext,
  item: invitationView,
  handle: ({ auth, caller, headers, query }) => auth.invitations.list(caller, headers['x-org'], query),
});

const preview = route({
  method: 'get',
  path: '/auth/invitations/preview',
  operationId: 'previewInvitation',
  tag: 'Invitations',
  summary: 'Get the offer of an invitation',
  description:
    'For the page behind the mailed link. Changes nothing. 404 for a token that is unknown or replaced, 409 for an invitation that is closed.',
  failures: ['not_found', 'conflict'],
  limit: 'mailed-token',
  caller: anyone,
  query: invitationTokenInput,
  reply: invitationPreview,
  handle: ({ auth, query }) => auth.invitations.preview(query.token),
});

const accept = route({
  method: 'post',
  path: '/auth/invitations/accept',
  operationId: 'acceptInvitation',
  tag: 'Invitations',
  summary: 'Accept an invitation',
  description:
    'If there is no account for the address, creates the user with the password and returns tokens, or `secondFactor` as `POST /auth/login` does. An existing user joins with their account unchanged and gets no tokens. An access token is optional and must belong to the invited user.',
  failures: [
    'unauthorized',
    'session_revoked',
    'forbidden',
    'pending_approval',
    'registration_rejected',
    'account_inactive',
    'email_unverified',
    'not_found',
    'conflict',
  ],
  limit: 'mailed-token',
  refusedWhileActing: true,
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
  operationId: 'getInvitation',
  tag: 'Invitations',
  summary: 'Get an invitation',
  description: 'For administrators of the company and for the invited user, who may omit `x-org`.',
  failures: ['forbidden', 'not_found'],
  caller: member,
  headers: companyContext.partial(),
  params: id,
  reply: invitationView,
  handle: ({ auth, caller, headers, params }) => auth.invitations.get(caller, params.id, headers['x-org']),
});

const resend = route({
  method: 'post',
  path: '/auth/invitations/{id}/resend',
  operationId: 'resendInvitation',
  tag: 'Invitations',
  summary: 'Send an invitation again',
  description: 'The mail has a new link; the previous one stops working.',
  failures: ['forbidden', 'not_found', 'conflict'],
  atMost: '3 per hour and invitation',
  refusedWhileActing: true,
  caller: member,
  headers: companyContext,
  params: id,
  reply: invitationView,
  handle: ({ auth, caller, headers, params, client }) =>
    auth.invitations.resend(caller, headers['x-org'], params.id, client),
});

const cancel = route({
  method: 'delete',
  path: '/auth/invitations/{id}',
  operationId: 'cancelInvitation',
  tag: 'Invitations',
  summary: 'Cancel an invitation',
  description: 'Its link stops working.',
  failures: ['forbidden', 'not_found', 'conflict'],
  refusedWhileActing: true,
  caller: member,
  headers: companyContext,
  params: id,
  reply: invitationView,
  handle: ({ auth, caller, headers, params, client }) =>
    auth.invitations.cancel(caller, headers['x-org'], params.id, client),
});

/** The routes of invitations. Fixed paths come before the path with an id. */
export const invitationRoutes: Route[] = [create, list, preview, accept, get, resend, cancel];
