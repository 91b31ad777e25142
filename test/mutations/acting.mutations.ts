import type { Mutation } from './mutation.js';

const BOTH_NAMES = 'Every audit row of a session in which an actor acts for its user names both.';
const LEARNS =
  'The user learns of a session in which an actor acts for them, by mail and in the list of sessions.';
const LIMITED =
  'In a session in which an actor acts for its user, the actor cannot change how the user signs in, give rights to any account, export the data of the user, pass the session on, or prove a recent sign-in.';
const ENDS =
  'A session in which an actor acts ends with the session of the actor, with a lower role, the activity and all sessions of the actor, and with another role of the user.';
const CAPPED = 'No refresh moves the end of a session in which an actor acts past its limit.';
const WHO =
  'A machine can only name an active member of staff above the rank of the user as the actor, or a free text that it vouches for.';

const STAFF =
  'Platform staff act only for active users of a lower role, after a recent sign-in. Whether they may is judged again when the code is exchanged, under the locks of both.';
const CODE =
  'A code by which staff act works once, for a minute at most, and where it is for: the pages of the service, or an app of one company of the user.';
const STAFF_ENDS =
  'A session in which a member of staff acts by a code ends with theirs, and at the time that they chose.';
const TAB =
  'In cookie mode the session in which a member of staff acts is in one tab: no cookie is set for it, and none is read beside its token.';

const TREES = 'packages/core/src/sessions/session-repository.sql.ts';
const MINTING = 'packages/core/src/admin/session-minting.ts';
const BY_STAFF = 'packages/core/src/handoff/staff-acting.ts';

/** Defects in sessions in which an actor acts for the user. */
export const actingMutations: readonly Mutation[] = [
  {
    promise: BOTH_NAMES,
    defect: 'the rows of a request do not name who acts',
    file: 'packages/http/src/routing/serve-route.ts',
    from: '  client.act = owner.act;\n',
    to: '',
  },
  {
    promise: BOTH_NAMES,
    defect: 'the row of a sign-out by the refresh token does not name who acts',
    file: 'packages/core/src/sessions/session-revoker.ts',
    from: 'own && target.byItself ?',
    to: 'own && !target.byItself ?',
  },
  {
    promise: BOTH_NAMES,
    defect: 'a guard that uses hints does not know who acts',
    file: 'packages/core/src/sessions/authenticator.ts',
    from: 'if (token.act) return',
    to: 'if (!token.sessionId) return',
  },
  {
    promise: LEARNS,
    defect: 'the list of sessions does not name who acts',
    file: 'packages/core/src/sessions/session-queries.ts',
    from: 'row.acting_sub !== null && {',
    to: 'row.acting_sub === undefined && {',
  },
  {
    promise: LIMITED,
    defect: 'every session counts as one of the user',
    file: 'packages/core/src/kernel/acting-party.ts',
    from: 'if (parties.every(({ act }) => !act)) return;',
    to: "if (parties.every(({ act }) => act?.sub !== '')) return;",
  },
  {
    promise: LIMITED,
    defect: 'staff routes end the other sessions of the user',
    file: 'packages/core/src/admin/session-administration.ts',
    from: '    assertNotActing(administrator);\n',
    to: '',
  },
  {
    promise: LIMITED,
    defect: 'routes do not ask who acts',
    file: 'packages/http/src/routing/serve-route.ts',
    from: 'if (route.refusedWhileActing) assertNotActing',
    to: 'if (!route.refusedWhileActing) assertNotActing',
  },
  {
    promise: LIMITED,
    defect: 'an actor approves registrations',
    file: 'packages/core/src/admin/user-administration.ts',
    from: "if (administrator.kind === 'user' && changesStatus(patch)) assertNotActing(administrator);",
    to: '',
  },
  {
    promise: LIMITED,
    defect: 'direct calls change memberships while an actor acts',
    file: 'packages/core/src/memberships/membership-service.ts',
    from: 'companyId };\n    assertNotActing(client, actor);',
    to: 'companyId };',
  },
  {
    promise: ENDS,
    defect: 'an actor who is lowered to another role goes on',
    file: 'packages/core/src/admin/user-change.ts',
    from: 'outranks(user.globalRole, patch.globalRole)',
    to: "patch.globalRole === 'NONE'",
  },
  {
    promise: ENDS,
    defect: 'the first superadmin is acted for as before',
    file: 'packages/core/src/admin/bootstrap.ts',
    from: 'await this.#deps.sessionRevoker.revokeActedWithin(',
    to: 'await ((..._target: unknown[]) => Promise.resolve<string[]>([]))(',
  },
  {
    promise: WHO,
    defect: 'staff act for users of their own rank',
    file: MINTING,
    from: 'outranks(actor.globalRole, user.globalRole)) return;',
    to: '!outranks(user.globalRole, actor.globalRole)) return;',
  },
  {
    promise: ENDS,
    defect: 'the session outlives that of the actor',
    file: TREES,
    from: 'WHERE acting_session_id = tree.id\n',
    to: 'WHERE acting_session_id = tree.id AND false\n',
  },
  {
    promise: ENDS,
    defect: 'a lost role leaves the session active',
    file: TREES,
    from: 'WHERE acting_user_id = $1 AND $3::boolean\n',
    to: 'WHERE acting_user_id = $1 AND NOT $3::boolean\n',
  },
  {
    promise: ENDS,
    defect: 'the actor is not locked while the session is opened',
    file: MINTING,
    from: 'await this.#deps.users.lock([mint.userId, ...(actorUserId ? [actorUserId] : [])], trx)',
    to: 'new Map([[mint.userId, await this.#deps.users.findById(mint.userId)], [actorUserId ?? "", await this.#deps.users.findById(actorUserId ?? mint.userId)]])',
  },
  {
    promise: CAPPED,
    defect: 'a refresh prolongs the session',
    file: 'packages/core/src/sessions/rotation-repository.ts',
    from: ', s.acting_until)`;',
    to: ')`;',
  },
  {
    promise: CAPPED,
    defect: 'an access token outlives the session',
    file: 'packages/core/src/tokens/access-token.ts',
    from: 'Math.min(this.ttl, ',
    to: 'Math.max(this.ttl, ',
  },
  {
    promise: WHO,
    defect: 'a user without a role may be named',
    file: MINTING,
    from: ' && outranks(actor.globalRole, user.globalRole)) return;',
    to: " && (outranks(actor.globalRole, user.globalRole) || actor.globalRole === 'NONE')) return;",
  },
  {
    promise: WHO,
    defect: 'a session in which the actor acts for another user is accepted',
    file: MINTING,
    from: '(!held || held.act)',
    to: '(!held)',
  },
  {
    promise: STAFF,
    defect: 'superadmins act for each other',
    file: 'packages/core/src/users/authority.ts',
    from: "(action === 'act-for' ? outranks : reaches)",
    to: "(action === 'erase' ? outranks : reaches)",
  },
  {
    promise: STAFF,
    defect: 'staff act without a recent sign-in',
    file: BY_STAFF,
    from: '    this.#deps.staffStepUp.assertRecent(staff);\n',
    to: '',
  },
  {
    promise: STAFF,
    defect: 'the exchange does not judge the role again',
    file: BY_STAFF,
    from: "    assertMayActOn(lockedAdministrator({ userId: actorUserId }, locked), 'act-for', user);\n",
    to: '    lockedAdministrator({ userId: actorUserId }, locked);\n',
  },
  {
    promise: STAFF,
    defect: 'the exchange does not lock the member of staff',
    file: BY_STAFF,
    from: 'await this.#deps.users.lock([userId, actorUserId], trx)',
    to: 'new Map([[userId, (await this.#deps.users.lock([userId], trx)).get(userId)!], [actorUserId, (await this.#deps.users.findById(actorUserId))!]])',
  },
  {
    promise: CODE,
    defect: 'a code lives as long as HANDOFF_TTL says',
    file: BY_STAFF,
    from: 'Math.min(this.#deps.ttl, LONGEST_CODE_TTL)',
    to: 'Math.max(this.#deps.ttl, LONGEST_CODE_TTL)',
  },
  {
    promise: CODE,
    defect: 'a code for an app opens the pages',
    file: BY_STAFF,
    from: 'isActingGrant(grant) && grant.companyId === null',
    to: 'isActingGrant(grant)',
  },
  {
    promise: CODE,
    defect: 'a code for an app works after the membership',
    file: BY_STAFF,
    from: 'if (companyId !== null && !(await',
    to: "if (companyId === '' && !(await",
  },
  {
    promise: STAFF_ENDS,
    defect: 'the session outlives that of the member of staff',
    file: BY_STAFF,
    from: '        actorSession,\n',
    to: '',
  },
  {
    promise: STAFF_ENDS,
    defect: 'the time that was chosen does not count',
    file: BY_STAFF,
    from: 'return minutes * 60;',
    to: 'return maxLifetime;',
  },
  {
    promise: TAB,
    defect: 'the exchange sets cookies',
    file: 'packages/http/src/routes/management/acting.ts',
    from: '  reply: tokenPair,\n',
    to: '  reply: tokenPair,\n  issuesTokens: true,\n',
  },
  {
    promise: TAB,
    defect: 'an app gets a code in cookie mode',
    file: 'packages/core/src/compose/service-parts.ts',
    from: 'isForApps: !parts.settings.http.cookieMode',
    to: 'isForApps: true',
  },
];
