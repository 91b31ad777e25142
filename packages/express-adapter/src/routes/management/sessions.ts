import type { Administrator } from '@latchkey/core';
import {
  revokedCount,
  sessionStats,
  sessionView,
  statusOk,
  tokenPair,
  uuidInput,
} from '@latchkey/core/schemas';
import { z } from 'zod';
import type { Caller } from '../../callers/caller.js';
import { internalKey } from '../../callers/internal-key.js';
import { listRoute, route, type Route } from '../../http/route.js';

const id = z.object({ id: uuidInput });

export const revokeAllRoute = (prefix: string, caller: Caller<Administrator>): Route =>
  route({
    method: 'post',
    path: `${prefix}/{id}/revoke-all`,
    summary: 'End all sessions of a user',
    caller,
    params: id,
    reply: revokedCount,
    handle: ({ auth, caller: administrator, params, client }) =>
      auth.sessionAdministration.revokeAll(administrator, params.id, client),
  });

export const revokeSessionRoute = (caller: Caller<Administrator>): Route =>
  route({
    method: 'post',
    path: '/internal/sessions/{id}/revoke',
    summary: 'End one session',
    caller,
    params: id,
    reply: statusOk,
    handle: ({ auth, caller: administrator, params, client }) =>
      auth.sessionAdministration.revoke(administrator, params.id, client),
  });

export const machineSessionRoutes: Route[] = [
  listRoute({
    path: '/internal/admin/users/{id}/sessions',
    summary: 'Active sessions of one user',
    caller: internalKey,
    params: id,
    item: sessionView,
    handle: ({ auth, params, query }) => auth.sessionAdministration.listOfUser(params.id, query),
  }),
  route({
    method: 'post',
    path: '/internal/admin/users/{id}/sessions',
    summary: 'Open a session for a user and get its tokens',
    caller: internalKey,
    params: id,
    reply: tokenPair,
    status: 201,
    handle: ({ auth, caller, params, client }) => auth.sessionMinting.mint(caller, params.id, client),
  }),
  listRoute({
    path: '/internal/admin/sessions',
    summary: 'Active sessions, all or of one user',
    caller: internalKey,
    filter: z.object({ userId: uuidInput.optional() }),
    item: sessionView,
    handle: ({ auth, query: { limit, offset, userId } }) =>
      auth.sessionAdministration.list({ userId }, { limit, offset }),
  }),
  route({
    method: 'get',
    path: '/internal/admin/session-stats',
    summary: 'Connected users and active sessions',
    caller: internalKey,
    reply: sessionStats,
    handle: ({ auth }) => auth.sessionAdministration.stats(),
  }),
];
