import {
  changePasswordInput,
  ownSessionView,
  revokedCount,
  statusOk,
  uuidInput,
} from '@latchkey/core/schemas';
import { z } from 'zod';
import { signedIn } from '../../callers/signed-in.js';
import { listRoute, route } from '../../http/route.js';

export const logoutAll = route({
  method: 'post',
  path: '/auth/logout-all',
  summary: 'End all my sessions',
  caller: signedIn,
  reply: revokedCount,
  endsOwnSession: () => true,
  handle: ({ auth, caller, client }) => auth.sessions.logoutAll(caller, client),
});

export const logoutOthers = route({
  method: 'post',
  path: '/auth/logout-others',
  summary: 'End all my sessions but this one',
  caller: signedIn,
  reply: revokedCount,
  handle: ({ auth, caller, client }) => auth.sessions.logoutOthers(caller, client),
});

export const ownSessions = listRoute({
  path: '/auth/sessions',
  summary: 'My active sessions',
  caller: signedIn,
  item: ownSessionView,
  handle: ({ auth, caller, query }) => auth.sessions.listOwn(caller, query),
});

export const revokeOwnSession = route({
  method: 'delete',
  path: '/auth/sessions/{id}',
  summary: 'End one of my sessions',
  caller: signedIn,
  params: z.object({ id: uuidInput }),
  reply: statusOk,
  endsOwnSession: ({ caller, params }) => params.id === caller.sessionId,
  handle: ({ auth, caller, params, client }) => auth.sessions.revokeOwn(caller, params.id, client),
});

export const changePassword = route({
  method: 'post',
  path: '/auth/password/change',
  summary: 'Change my password and end my other sessions',
  limit: 'public-login',
  hashesPassword: true,
  caller: signedIn,
  body: changePasswordInput,
  newPassword: 'newPassword',
  reply: statusOk,
  handle: ({ auth, caller, body, client }) => auth.passwords.change(caller, body, client),
});
