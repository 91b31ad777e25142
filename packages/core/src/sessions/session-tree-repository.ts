import type { ActingParty } from '../kernel/acting-party.js';
import { statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import { toActingParty, type ActingColumns } from './acting.js';
import { sessionLevel } from './session-level.js';
import type { PresentedToken } from './session-repository.js';
import type { RevokeReason } from './session.js';

/** Sessions that one statement has revoked. */
export interface RevokedSessions {
  /** True if any session was not revoked before, expired ones included. */
  any: boolean;
  /** Ids of those that were active until then. */
  activeIds: string[];
  /** Those in which an actor acted for the user. */
  acted: ActedSession[];
}

/** A session in which an actor acts for its user. */
export interface ActedSession {
  id: string;
  userId: string;
  act: ActingParty;
}

interface RevokedRow extends ActingColumns {
  id: string;
  user_id: string;
  was_active: boolean;
}

// A session never changes its user, so the row that is locked is the right one however long the wait was.
const LOCK_OWNER = statement(
  'session_lock_owner',
  `SELECT id FROM users WHERE id = (SELECT user_id FROM sessions WHERE id = $1) FOR NO KEY UPDATE`,
);
const LOCK_OWNER_BY_SELECTOR = statement(
  'session_lock_owner_by_selector',
  `SELECT id FROM users WHERE id = (SELECT user_id FROM sessions WHERE selector_digest = $1) FOR NO KEY UPDATE`,
);
const LOCK_USER = statement('session_lock_user', 'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE');

const FIND_FOR_LOGOUT = statement(
  'session_for_logout',
  `SELECT id FROM sessions
   WHERE selector_digest = $1 AND NOT is_revoked
     AND ((generation = $2 AND secret_digest = $3) OR ($4::boolean AND generation > $2))`,
);

const SET_REVOKED = `is_revoked = true, revoked_at = now(), revoke_reason`;
const REVOKED_COLUMNS =
  's.id, s.user_id, s.expires_at > now() AS was_active, s.acting_sub, s.acting_user_id, s.acting_name';

/** The children of the sessions of a recursive `tree`: those that hand-offs created, and those in which their users act for others. */
const CHILDREN = `SELECT child.id FROM tree CROSS JOIN LATERAL (
       SELECT id FROM sessions WHERE parent_session_id = tree.id
       UNION ALL
       SELECT id FROM sessions WHERE acting_session_id = tree.id
     ) AS child`;

/** The rows of a recursive `kept`: the session $3 of the user $1, and its ancestors. */
const KEPT = `SELECT id, parent_session_id FROM sessions WHERE id = $3 AND user_id = $1
     UNION
     SELECT parent.id, parent.parent_session_id FROM sessions parent JOIN kept ON parent.id = kept.parent_session_id`;

/** A session with its descendants. UNION, not UNION ALL: the statement terminates whatever the rows contain. */
const REVOKE_TREE = statement(
  'session_revoke_tree',
  `WITH RECURSIVE tree AS (
     SELECT id FROM sessions WHERE id = $1
     UNION
     ${CHILDREN}
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   FROM tree WHERE s.id = tree.id AND NOT s.is_revoked
   RETURNING ${REVOKED_COLUMNS}`,
);

/**
 * Keeps a session and its ancestors; revokes all other descendants of the ancestors. Of the sessions in which the user acts for
 * others, those end that were to end with a revoked one.
 */
const REVOKE_ALL_BUT_PATH = statement(
  'session_revoke_all_but_path',
  `WITH RECURSIVE kept AS (
     ${KEPT}
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   WHERE NOT s.is_revoked AND s.id = ANY(ARRAY(
     SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked AND id NOT IN (SELECT id FROM kept)
     UNION ALL
     SELECT id FROM sessions WHERE acting_user_id = $1 AND acting_session_id NOT IN (SELECT id FROM kept)))
   RETURNING ${REVOKED_COLUMNS}`,
);

/** The sessions of a user with one factor, with their descendants, but not a session and its ancestors. */
const REVOKE_ONE_FACTOR = statement(
  'session_revoke_one_factor',
  `WITH RECURSIVE kept AS (
     ${KEPT}
   ), tree AS (
     SELECT s.id FROM sessions s
     WHERE s.user_id = $1 AND NOT s.is_revoked AND ${sessionLevel('s')} = 'aal1' AND s.id NOT IN (SELECT id FROM kept)
     UNION
     ${CHILDREN}
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   FROM tree WHERE s.id = tree.id AND NOT s.is_revoked
   RETURNING ${REVOKED_COLUMNS}`,
);

const REVOKE_ALL = statement(
  'session_revoke_all',
  `UPDATE sessions s SET ${SET_REVOKED} = $2
   WHERE NOT s.is_revoked AND s.id = ANY(ARRAY(
     SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked
     UNION ALL
     SELECT id FROM sessions WHERE acting_user_id = $1))
   RETURNING ${REVOKED_COLUMNS}`,
);

/** The sessions in which others act for the user and, if $3, those in which the user acts for others. */
const REVOKE_ACTED = statement(
  'session_revoke_acted',
  `UPDATE sessions s SET ${SET_REVOKED} = $2
   WHERE NOT s.is_revoked AND s.id = ANY(ARRAY(
     SELECT id FROM sessions WHERE acting_user_id = $1 AND $3::boolean
     UNION ALL
     SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked AND acting_sub IS NOT NULL))
   RETURNING ${REVOKED_COLUMNS}`,
);

// The parts of one statement see the addresses as they were before it.
const FORGET_CLIENTS = statement(
  'session_forget_clients',
  `WITH forgotten AS (
     UPDATE sessions SET ip_address = NULL, user_agent = NULL, device_name = NULL, acting_name = NULL, acting_reason = NULL
     WHERE user_id = $1 AND is_revoked
   ), unnamed AS (
     UPDATE sessions SET acting_reason = NULL WHERE acting_user_id = $1 AND user_id <> $1 AND is_revoked
   )
   SELECT DISTINCT ip_address FROM sessions WHERE user_id = $1 AND is_revoked AND ip_address IS NOT NULL`,
);

/**
 * Revokes sessions with their descendants, in one statement. The transaction must have locked the row of the
 * user by an earlier statement: a hand-off locks it too while it creates a session, and so does minting one in which
 * the user acts for another. So the statement that revokes sees either the new session, or the other finds no parent
 * any more.
 */
export class SessionTreeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Locks the row of the session's user until the transaction ends. @returns the user's id. */
  lockOwner(sessionId: string, trx: Transaction): Promise<string | undefined> {
    return this.#lock(LOCK_OWNER, sessionId, trx);
  }

  /** Locks the row of the user by the selector of a refresh token. @returns the user's id. */
  lockOwnerBySelector(selectorDigest: Buffer, trx: Transaction): Promise<string | undefined> {
    return this.#lock(LOCK_OWNER_BY_SELECTOR, selectorDigest, trx);
  }

  /** Locks the row of a user until the transaction ends. */
  async lockUser(userId: string, trx: Transaction): Promise<void> {
    await this.#lock(LOCK_USER, userId, trx);
  }

  /**
   * Returns the session that a refresh token may revoke: the token must be its current one or a genuine older
   * one.
   */
  async findForLogout(token: PresentedToken, trx: Transaction): Promise<string | undefined> {
    const { selectorDigest, generation, secretDigest, isGenuine } = token;
    const values = [selectorDigest, generation, secretDigest, isGenuine];
    const [row] = await this.#database.query<{ id: string }>(FIND_FOR_LOGOUT, values, trx);
    return row?.id;
  }

  /** Revokes a session and its descendants. */
  revokeTree(sessionId: string, reason: RevokeReason, trx: Transaction): Promise<RevokedSessions> {
    return this.#revoke(REVOKE_TREE, [sessionId, reason], trx);
  }

  /** Revokes every session of a user, or all but one and its ancestors. */
  revokeAllOf(
    userId: string,
    reason: RevokeReason,
    options: { exceptSessionId?: string },
    trx: Transaction,
  ): Promise<RevokedSessions> {
    const { exceptSessionId } = options;
    return exceptSessionId === undefined
      ? this.#revoke(REVOKE_ALL, [userId, reason], trx)
      : this.#revoke(REVOKE_ALL_BUT_PATH, [userId, reason, exceptSessionId], trx);
  }

  /** Revokes the sessions of a user with one factor, but not this one and its ancestors. */
  revokeOneFactorOf(
    userId: string,
    reason: RevokeReason,
    exceptSessionId: string | undefined,
    trx: Transaction,
  ): Promise<RevokedSessions> {
    return this.#revoke(REVOKE_ONE_FACTOR, [userId, reason, exceptSessionId ?? null], trx);
  }

  /**
   * Revokes the sessions in which an actor acts for a user.
   * @param options.byThem true for those too in which the user acts for others.
   */
  revokeActed(
    userId: string,
    reason: RevokeReason,
    { byThem }: { byThem: boolean },
    trx: Transaction,
  ): Promise<RevokedSessions> {
    return this.#revoke(REVOKE_ACTED, [userId, reason, byThem], trx);
  }

  /**
   * Removes address, user agent and device name, who acted and why from the revoked sessions of a user, whose row the transaction has locked.
   * @returns the addresses.
   */
  async forgetClients(userId: string, trx: Transaction): Promise<string[]> {
    const rows = await this.#database.query<{ ip_address: string }>(FORGET_CLIENTS, [userId], trx);
    return rows.map((row) => row.ip_address);
  }

  async #lock(lock: Statement, value: unknown, trx: Transaction): Promise<string | undefined> {
    const [row] = await this.#database.query<{ id: string }>(lock, [value], trx);
    return row?.id;
  }

  async #revoke(revoke: Statement, values: unknown[], trx: Transaction): Promise<RevokedSessions> {
    const rows = await this.#database.query<RevokedRow>(revoke, values, trx);
    const active = rows.filter((row) => row.was_active);
    return { any: rows.length > 0, activeIds: active.map(({ id }) => id), acted: active.flatMap(toActed) };
  }
}

function toActed(row: RevokedRow): ActedSession[] {
  const act = toActingParty(row);
  return act ? [{ id: row.id, userId: row.user_id, act }] : [];
}
