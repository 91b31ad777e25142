import { changePasswordInput, ownSessionView, revokedCount, statusOk } from '@latchkey/core/schemas';
import { signedIn } from '../../callers/signed-in.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route } from '../../routing/route.js';
import { changesCredentialsByPassword } from './credential-change.js';

export const logoutAll = route({
  method: 'post',
  path: '/auth/logout-all',
  operationId: 'revokeAllMySessions',
  tag: 'Own sessions',
  summary: 'End all sessions of the signed-in user',
  refusedWhileActing: true,
  description: 'Includes the session of the caller.',
  caller: signedIn,
  reply: revokedCount,
  endsOwnSession: () => true,
  handle: ({ auth, caller, client }) => auth.sessions.logoutAll(caller, client),
});

export const logoutOthers = route({
  method: 'post',
  path: '/auth/logout-others',
  operationId: 'revokeMyOtherSessions',
  tag: 'Own sessions',
  summary: 'End all other sessions of the signed-in user',
  refusedWhileActing: true,
  description: 'The session of the caller stays active.',
  caller: signedIn,
  reply: revokedCount,
  handle: ({ auth, caller, client }) => auth.sessions.logoutOthers(caller, client),
});

export const ownSessions = listRoute({
  path: '/auth/sessions',
  operationId: 'listMySessions',
  tag: 'Own sessions',
  summary: 'List the active sessions of the signed-in user',
  description: 'Newest first; `current` marks the session of the caller.',
  caller: signedIn,
  item: ownSessionView,
  grows: true,
  handle: ({ auth, caller, query }) => auth.sessions.listOwn(caller, query),
});

export const revokeOwnSession = route({
  method: 'delete',
  path: '/auth/sessions/{id}',
  operationId: 'revokeMySession',
  tag: 'Own sessions',
  summary: 'End a session of the signed-in user',
  description: '404 for a session of another user.',
  failures: ['not_found'],
  caller: signedIn,
  params: idOf('session'),
  reply: statusOk,
  endsOwnSession: ({ caller, params }) => params.id === caller.sessionId,
  handle: ({ auth, caller, params, client }) => auth.sessions.revokeOwn(caller, params.id, client),
});

export const changePassword = route({
  method: 'post',
  path: '/auth/password/change',
  operationId: 'changePassword',
  tag: 'Account',
  summary: 'Change the password of the signed-in user',
  description:
    'Ends all other sessions and invalidates all reset links. 401 for a wrong current password; ten in a row end the session.',
  failures: ['conflict'],
  limit: 'public-login',
  hashesPassword: true,
  refusedWhileActing: true,
  caller: signedIn,
  stepUp: changesCredentialsByPassword,
  body: changePasswordInput,
  newPassword: 'newPassword',
  reply: statusOk,
  handle: ({ auth, caller, body, client }) => auth.passwords.change(caller, body, client),
});
