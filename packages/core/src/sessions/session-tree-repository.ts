import { statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import type { PresentedToken } from './session-repository.js';
import type { RevokeReason } from './session.js';

/** Sessions that one statement has revoked. */
export interface RevokedSessions {
  /** True if any session was not revoked before, expired ones included. */
  any: boolean;
  /** Ids of those that were active until then. */
  activeIds: string[];
}

interface RevokedRow {
  id: string;
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
const REVOKED_COLUMNS = 's.id, s.expires_at > now() AS was_active';

/** UNION, not UNION ALL: the statement terminates whatever the rows contain. */
const REVOKE_TREE = statement(
  'session_revoke_tree',
  `WITH RECURSIVE tree AS (
     SELECT id FROM sessions WHERE id = $1
     UNION
     SELECT child.id FROM sessions child JOIN tree ON child.parent_session_id = tree.id
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   FROM tree WHERE s.id = tree.id AND NOT s.is_revoked
   RETURNING ${REVOKED_COLUMNS}`,
);

/** Keeps a session and its ancestors; revokes all other descendants of the ancestors. */
const REVOKE_ALL_BUT_PATH = statement(
  'session_revoke_all_but_path',
  `WITH RECURSIVE kept AS (
     SELECT id, parent_session_id FROM sessions WHERE id = $3 AND user_id = $1
     UNION
     SELECT parent.id, parent.parent_session_id FROM sessions parent JOIN kept ON parent.id = kept.parent_session_id
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   WHERE s.user_id = $1 AND NOT s.is_revoked AND s.id NOT IN (SELECT id FROM kept)
   RETURNING ${REVOKED_COLUMNS}`,
);

const REVOKE_ALL = statement(
  'session_revoke_all',
  `UPDATE sessions s SET ${SET_REVOKED} = $2 WHERE s.user_id = $1 AND NOT s.is_revoked RETURNING ${REVOKED_COLUMNS}`,
);

// The parts of one statement see the addresses as they were before it.
const FORGET_CLIENTS = statement(
  'session_forget_clients',
  `WITH forgotten AS (
     UPDATE sessions SET ip_address = NULL, user_agent = NULL, device_name = NULL
     WHERE user_id = $1 AND is_revoked
   )
   SELECT DISTINCT ip_address FROM sessions WHERE user_id = $1 AND is_revoked AND ip_address IS NOT NULL`,
);

/**
 * Revokes sessions with their descendants, in one statement. The transaction must have locked the row of the
 * user by an earlier statement: a hand-off locks it too while it creates a session, so the statement that
 * revokes sees either the new session, or the hand-off finds no parent any more.
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

  /**
   * Removes address, user agent and device name from the revoked sessions of a user, whose row the transaction has locked.
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
    return { any: rows.length > 0, activeIds: rows.filter((row) => row.was_active).map((row) => row.id) };
  }
}
