import type { Mutation } from './mutation.js';

const ENDS_TOGETHER = 'Revoking a session revokes all sessions that were created from it.';
const NO_LIVE_CHILD = 'A hand-off that races the end of its session leaves no active session.';
const LIMIT = 'A hand-off cannot extend a session past its absolute limit.';
const FRESH = 'A refresh, a hand-off or a machine cannot produce a recent sign-in.';
const OTHERS_KEEP_PATH = 'A session created by a hand-off cannot revoke the session it came from.';
const ONE_ORDER = 'Concurrent writes of one user do not deadlock.';
const RETRIED = 'A deadlock is not reported as an outage.';
const CLOCKS =
  "Replicas whose clocks differ accept each other's signed values, and for no longer than intended.";
const NO_FALSE_REUSE =
  'Overlapping refreshes of one token get the same successor from every replica, with a single rotation. A stalled process never causes a false reuse detection.';
const NO_OLD_STALL =
  'A process that is never idle does not take a spent token for one that waited in a stall long ago.';

const TREES = 'packages/core/src/sessions/session-repository.sql.ts';
const REVOKER = 'packages/core/src/sessions/session-revoker.ts';
const STALLS = 'packages/core/src/sessions/event-loop-stalls.ts';

/** Defects in the trees of sessions, the detection of stalls, the order of locks and the shared clock. */
export const sessionTreeMutations: readonly Mutation[] = [
  {
    promise: NO_FALSE_REUSE,
    defect: 'a second stall replaces the first, whose requests still wait',
    file: STALLS,
    from: 'if (this.#backlogSince(now) !== undefined) return;',
    to: '',
  },
  {
    promise: NO_FALSE_REUSE,
    defect: 'a stall is forgotten at the first look, although the loop was never idle',
    file: STALLS,
    from: 'idleTime() > this.#backlog.idleTime',
    to: 'idleTime() >= this.#backlog.idleTime',
  },
  {
    promise: NO_OLD_STALL,
    defect: 'a process at its limit remembers a stall indefinitely',
    file: STALLS,
    from: 'now > this.#backlog.until || ',
    to: '',
  },
  {
    promise: ENDS_TOGETHER,
    defect: 'ending a session leaves its descendants alive',
    file: TREES,
    from: 'WHERE parent_session_id = tree.id\n',
    to: 'WHERE parent_session_id = tree.id AND false\n',
  },
  {
    promise: ENDS_TOGETHER,
    defect: 'a hand-off forgets which session it came from',
    file: 'packages/core/src/sessions/session-repository.ts',
    from: 'session.parent?.id,',
    to: 'null,',
  },
  {
    promise: ENDS_TOGETHER,
    defect: 'only the session itself is marked in the ephemeral store when its token is used to sign out',
    file: 'packages/core/src/sessions/session-revoker.ts',
    from: '[sessionId, ...revoked.activeIds.filter((id) => id !== sessionId)]',
    to: '[sessionId]',
  },
  {
    promise: ENDS_TOGETHER,
    defect: 'the clean-up removes an expired session that leads to a live one',
    file: 'packages/operations/src/maintenance/retention-path.ts',
    from: "whereRemovable: 'NOT EXISTS (SELECT 1 FROM sessions child WHERE child.parent_session_id = t.id)',",
    to: "whereRemovable: 'true',",
  },
  {
    promise: ENDS_TOGETHER,
    defect: 'the audit row does not say how many sessions ended',
    file: REVOKER,
    from: 'details: { ...details, reason, revoked: activeIds.length }',
    to: 'details: { ...details, reason, revoked: Math.min(activeIds.length, 1) }',
  },
  {
    promise: OTHERS_KEEP_PATH,
    defect: 'ending all others ends the ancestors',
    file: TREES,
    from: 'JOIN kept ON parent.id = kept.parent_session_id`',
    to: 'JOIN kept ON parent.id = kept.parent_session_id AND false`',
  },
  {
    promise: OTHERS_KEEP_PATH,
    defect: 'ending all others keeps what the ancestors have opened',
    file: TREES,
    from: 'JOIN kept ON parent.id = kept.parent_session_id`',
    to: 'JOIN kept ON parent.id = kept.parent_session_id OR parent.parent_session_id = kept.id`',
  },
  {
    promise: NO_LIVE_CHILD,
    defect: 'all sessions are ended without holding their user first',
    file: TREES,
    from: 'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE',
    to: 'SELECT id FROM users WHERE id = $1',
  },
  {
    promise: LIMIT,
    defect: 'a new session counts its absolute limit from itself',
    file: 'packages/core/src/sessions/session-repository.sql.ts',
    from: 'coalesce($15::timestamptz, now())',
    to: 'coalesce(CASE WHEN $15::timestamptz IS NULL THEN now() END, now())',
  },
  {
    promise: LIMIT,
    defect: 'a rotation counts the absolute limit from the session itself',
    file: 'packages/core/src/sessions/rotation-repository.ts',
    from: 'coalesce(s.root_created_at, s.created_at)',
    to: 's.created_at',
  },
  {
    promise: LIMIT,
    defect: 'a chain of hand-offs counts from the link before',
    file: 'packages/core/src/sessions/session-repository.ts',
    from: "'coalesce(root_created_at, created_at) AS root_created_at'",
    to: "'created_at AS root_created_at'",
  },
  {
    promise: FRESH,
    defect: 'a hand-off counts as a sign-in of its own time',
    file: 'packages/core/src/sessions/session-creator.ts',
    from: 'parent?.authTime ?? signIn.authTime ?? epochSeconds(this.#deps.clock)',
    to: 'epochSeconds(this.#deps.clock)',
  },
  {
    promise: FRESH,
    defect: 'a minted session counts as fresh',
    file: 'packages/core/src/sessions/sign-in-freshness.ts',
    from: '+ CLOCK_LEEWAY && isSignedInByPerson(amr);',
    to: '+ CLOCK_LEEWAY && (amr.length > 0 || isSignedInByPerson(amr));',
  },
  {
    promise: FRESH,
    defect: 'the code of a hand-off counts as a proof of the person',
    file: 'packages/core/src/tokens/authentication-methods.ts',
    from: "new Set(['pwd', 'hwk', 'mfa', 'user'])",
    to: "new Set(['pwd', 'hwk', 'mfa', 'user', 'otp'])",
  },
  {
    promise: FRESH,
    defect: 'a hand-off drops the methods of its parent',
    file: 'packages/core/src/tokens/authentication-methods.ts',
    from: '  ...new Set([...parent, HANDOFF_METHOD]),',
    to: '  ...new Set([...parent.slice(0, 0), HANDOFF_METHOD]),',
  },
  {
    promise: ONE_ORDER,
    defect: 'a hand-off locks the session before the user',
    file: 'packages/core/src/handoff/handoff-service.ts',
    from: '    const user = (await this.#deps.users.lock([userId], trx)).get(userId);',
    to: '    await this.#deps.sessions.holdLive(sessionId, userId, trx);\n    const user = (await this.#deps.users.lock([userId], trx)).get(userId);',
  },
  {
    promise: RETRIED,
    defect: 'a single statement is not run again',
    file: 'packages/core/src/storage/database.ts',
    from: 'const ATTEMPTS = 3;',
    to: 'const ATTEMPTS = 1;',
  },
  {
    promise: CLOCKS,
    defect: 'signed values are dated by the clock of the machine',
    file: 'packages/core/src/compose/given-parts.ts',
    from: 'const sharedClock = new DatabaseClock(repositories.database, clock);',
    to: 'const sharedClock = clock;',
  },
  {
    promise: CLOCKS,
    defect: 'a signed value never expires',
    file: 'packages/core/src/kernel/signed-value.ts',
    from: 'return expiresAt > (await this.#clock.now()) ? value : undefined;',
    to: 'return expiresAt > 0 * (await this.#clock.now()) ? value : undefined;',
  },
];
