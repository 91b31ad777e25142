import type { ActingParty } from '../kernel/acting-party.js';
import {
  membershipColumns,
  moduleRulesColumn,
  toMemberships,
  type MembershipColumns,
  type ModuleRulesColumn,
} from '../memberships/membership-repository.js';
import { toDecidingRules } from '../memberships/membership-row.js';
import type { DecidingRules, Memberships } from '../memberships/membership.js';
import { idBatch, statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import type { GlobalRole, User } from '../users/user.js';
import { toActingParty, type ActingColumns } from './acting.js';
import { sessionLevel } from './session-level.js';

/** A session and its user, read by one query. */
export interface SessionState {
  isRevoked: boolean;
  isExpired: boolean;
  /** True if `last_used_at` is old enough for this use to be recorded. */
  isUseDue: boolean;
  /** Who acts in the session for its user. */
  act: ActingParty | undefined;
  user: User;
}

export interface StateWithMemberships extends SessionState {
  memberships: Memberships;
}

export interface StateWithRules extends StateWithMemberships {
  moduleRules: DecidingRules;
}

interface StateRow extends UserRow, ActingColumns {
  session_id: string;
  is_revoked: boolean;
  is_expired: boolean;
  is_use_due: boolean;
}

/** Which columns a row has depends on the statement. */
type CheckedRow = StateRow & MembershipColumns & ModuleRulesColumn;

const STATE = `s.id AS session_id, s.is_revoked, s.expires_at <= now() AS is_expired,
     s.last_used_at < now() - interval '1 minute' AS is_use_due, s.acting_sub, s.acting_user_id, s.acting_name,
     ${userColumns('u').join(', ')}`;

/**
 * Returns the statement that reads sessions with their users. The limit lets PostgreSQL plan for one session at a time: it
 * then reads each by its index. For a batch whose size it does not know it expects ten, and would read all of a table of some
 * hundred users instead, which takes twice the time.
 */
const ofSessions = (columns: string): string => `
  SELECT found.* FROM unnest(${idBatch('$1')}) AS asked (id)
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = asked.id LIMIT 1
  ) AS found`;

const CHECK = statement('session_check', ofSessions(STATE));

const CHECK_WITH_MEMBERSHIPS = statement(
  'session_check_with_memberships',
  ofSessions(`${STATE}, ${membershipColumns('u.id')}`),
);

const CHECK_WITH_RULES = statement(
  'session_check_with_rules',
  ofSessions(`${STATE}, ${membershipColumns('u.id')}, ${moduleRulesColumn('u.id')}`),
);

/**
 * A session that had its level from the start proved the factor then: its root did, if a hand-off created it.
 */
const HAS_RECENT_FACTOR = statement(
  'session_has_recent_factor',
  `SELECT id FROM sessions s
 WHERE id = $1 AND ${sessionLevel('s')} = 'aal2'
   AND coalesce(second_factor_at, root_created_at, created_at) > now() - make_interval(secs => $2)`,
);

/** Reads what requests need to know of a session. */
export class SessionStateQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the state of these sessions and their users, by session id; unknown ids are missing. */
  check(sessionIds: readonly string[]): Promise<Map<string, SessionState>> {
    return this.#states(CHECK, sessionIds, toState);
  }

  /** Returns the same with all active memberships of the users, still in one query. */
  checkWithMemberships(sessionIds: readonly string[]): Promise<Map<string, StateWithMemberships>> {
    return this.#states(CHECK_WITH_MEMBERSHIPS, sessionIds, toStateWithMemberships);
  }

  /** Returns the same with the module rules of the memberships, still in one query. */
  checkWithRules(sessionIds: readonly string[]): Promise<Map<string, StateWithRules>> {
    return this.#states(CHECK_WITH_RULES, sessionIds, toStateWithRules);
  }

  /** Returns the user of a session, active or not. */
  async findOwner(
    sessionId: string,
    trx: Transaction,
  ): Promise<{ id: string; globalRole: GlobalRole } | undefined> {
    const [row] = await trx('sessions')
      .join('users', 'users.id', 'sessions.user_id')
      .where('sessions.id', sessionId)
      .select<{ id: string; global_role: GlobalRole }[]>('users.id', 'users.global_role');
    return row && { id: row.id, globalRole: row.global_role };
  }

  /** Returns whether a second factor was proved in the session, or a passkey used, at most this many seconds ago. */
  async hasRecentFactor(sessionId: string, maxAgeSeconds: number, trx?: Transaction): Promise<boolean> {
    return (await this.#database.query(HAS_RECENT_FACTOR, [sessionId, maxAgeSeconds], trx)).length > 0;
  }

  async #states<State>(
    check: Statement,
    sessionIds: readonly string[],
    read: (row: CheckedRow) => State,
  ): Promise<Map<string, State>> {
    const rows = await this.#database.query<CheckedRow>(check, [sessionIds]);
    return new Map(rows.map((row) => [row.session_id, read(row)]));
  }
}

const toStateWithMemberships = (row: StateRow & MembershipColumns): StateWithMemberships =>
  Object.assign(toState(row), { memberships: toMemberships(row) });

const toStateWithRules = (row: CheckedRow): StateWithRules =>
  Object.assign(toStateWithMemberships(row), { moduleRules: toDecidingRules(row.module_rules) });

function toState(row: StateRow): SessionState {
  return {
    isRevoked: row.is_revoked,
    isExpired: row.is_expired,
    isUseDue: row.is_use_due,
    act: toActingParty(row),
    user: toUser(row),
  };
}
