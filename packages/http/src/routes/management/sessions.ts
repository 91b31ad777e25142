import type { Administrator } from '@latchkey/core';
import {
  mintInput,
  revokedCount,
  sessionFilter,
  sessionStats,
  sessionView,
  statusOk,
  tokenPair,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { internalKey } from '../../callers/internal-key.js';
import { staff, staffOrSelf } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route } from '../../routing/route.js';
import { machines, people, type Audience } from '../../routing/tag.js';

const user = idOf('user');

export const revokeAllRoute = (prefix: string, caller: Caller<Administrator>, audience: Audience): Route =>
  route({
    method: 'post',
    path: `${prefix}/{id}/revoke-all`,
    operationId: audience.named('revokeUserSessions'),
    tag: audience.tagged('Sessions'),
    summary: 'End all sessions of a user',
    description: 'Staff may do this for users below their own role, and every user for themselves.',
    failures: ['not_found'],
    caller,
    params: user,
    reply: revokedCount,
    handle: ({ auth, caller: administrator, params, client }) =>
      auth.admin.sessions.revokeAll(administrator, params.id, client),
  });

export const revokeSessionRoute = (caller: Caller<Administrator>): Route =>
  route({
    method: 'post',
    path: '/internal/sessions/{id}/revoke',
    operationId: 'revokeSession',
    tag: 'Sessions',
    summary: 'End a session',
    description: 'For machines, staff above the role of the user, and the user of the session.',
    failures: ['not_found'],
    caller,
    params: idOf('session'),
    reply: statusOk,
    handle: ({ auth, caller: administrator, params, client }) =>
      auth.admin.sessions.revoke(administrator, params.id, client),
  });

/** One of the two mounts of the lists of sessions: their callers. */
interface RouteVariant {
  prefix: string;
  audience: Audience;
  /** Callers who read the sessions of one user. */
  ofUser: Caller<Administrator>;
  /** Callers who read those of all users. */
  ofAll: Caller<Administrator>;
}

const sessionLists = ({ prefix, audience, ofUser, ofAll }: RouteVariant): Route[] => [
  listRoute({
    path: `${prefix}/users/{id}/sessions`,
    operationId: audience.named('listUserSessions'),
    tag: audience.tagged('Sessions'),
    summary: 'List the active sessions of a user',
    description: 'Newest first.',
    failures: ['not_found'],
    caller: ofUser,
    params: user,
    item: sessionView,
    grows: true,
    handle: ({ auth, params, query }) => auth.admin.sessions.listOfUser(params.id, query),
  }),
  listRoute({
    path: `${prefix}/sessions`,
    operationId: audience.named('listSessions'),
    tag: audience.tagged('Sessions'),
    summary: 'List active sessions',
    description: 'Newest first. Filters combine.',
    caller: ofAll,
    filter: sessionFilter.omit({ companyId: true }),
    item: sessionView,
    grows: true,
    handle: ({ auth, query: { limit, offset, cursor, ...filter } }) =>
      auth.admin.sessions.list(filter, { limit, offset, cursor }),
  }),
  route({
    method: 'get',
    path: `${prefix}/session-stats`,
    operationId: audience.named('getSessionStats'),
    tag: audience.tagged('Sessions'),
    summary: 'Count connected users and active sessions',
    description:
      'A user with several sessions counts once. Beyond about 100,000 sessions both numbers are estimated from a ' +
      'sample, within a few percent; `isEstimate` is then true.',
    caller: ofAll,
    reply: sessionStats,
    handle: ({ auth }) => auth.admin.sessions.stats(),
  }),
];

const mintSession = route({
  method: 'post',
  path: '/internal/admin/users/{id}/sessions',
  operationId: 'mintSession',
  tag: 'Sessions (machines)',
  summary: 'Open a session for a user',
  description:
    'For services that have authenticated the user themselves. A service token needs the scope `sessions:mint`. ' +
    '`actorUserId` or `actor` names who acts in the session for the user: it is limited then, and ends with that of the actor.',
  failures: [
    'not_found',
    'conflict',
    'pending_approval',
    'registration_rejected',
    'account_inactive',
    'email_unverified',
  ],
  caller: internalKey,
  params: user,
  body: mintInput,
  bodyOptional: true,
  reply: tokenPair,
  status: 201,
  handle: ({ auth, caller, params, body, client }) =>
    auth.sessionMinting.mint(caller, params.id, body, client),
});

export const staffSessionRoutes: Route[] = sessionLists({
  prefix: '/internal',
  audience: people,
  ofUser: staffOrSelf('read'),
  ofAll: staff('read'),
});

export const machineSessionRoutes: Route[] = [
  mintSession,
  ...sessionLists({
    prefix: '/internal/admin',
    audience: machines,
    ofUser: internalKey,
    ofAll: internalKey,
  }),
];
