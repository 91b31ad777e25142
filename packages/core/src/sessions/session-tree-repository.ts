import { statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import type { PresentedToken } from './session-repository.js';
import type { RevokeReason } from './session.js';

/** Sessions that one statement has ended. */
export interface RevokedSessions {
  /** True if any session was not ended before, expired ones included. */
  any: boolean;
  /** Ids of those that were active until then. */
  activeIds: string[];
}

interface EndedRow {
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

const END = `is_revoked = true, revoked_at = now(), revoke_reason`;
const ENDED = 's.id, s.expires_at > now() AS was_active';

/** UNION, not UNION ALL: the statement ends whatever the rows say. */
const REVOKE_TREE = statement(
  'session_revoke_tree',
  `WITH RECURSIVE tree AS (
     SELECT id FROM sessions WHERE id = $1
     UNION
     SELECT child.id FROM sessions child JOIN tree ON child.parent_session_id = tree.id
   )
   UPDATE sessions s SET ${END} = $2
   FROM tree WHERE s.id = tree.id AND NOT s.is_revoked
   RETURNING ${ENDED}`,
);

/** Keeps a session and its ancestors; whatever else the ancestors have begotten ends. */
const REVOKE_ALL_BUT_PATH = statement(
  'session_revoke_all_but_path',
  `WITH RECURSIVE kept AS (
     SELECT id, parent_session_id FROM sessions WHERE id = $3 AND user_id = $1
     UNION
     SELECT parent.id, parent.parent_session_id FROM sessions parent JOIN kept ON parent.id = kept.parent_session_id
   )
   UPDATE sessions s SET ${END} = $2
   WHERE s.user_id = $1 AND NOT s.is_revoked AND s.id NOT IN (SELECT id FROM kept)
   RETURNING ${ENDED}`,
);

const REVOKE_ALL = statement(
  'session_revoke_all',
  `UPDATE sessions s SET ${END} = $2 WHERE s.user_id = $1 AND NOT s.is_revoked RETURNING ${ENDED}`,
);

/**
 * Ends sessions with all that were opened from them, in one statement. The transaction must hold the user's row by a
 * statement before: a hand-off holds it too while it opens a session, so the statement that ends sessions sees either
 * the new session or no parent left for it.
 */
export class SessionTreeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Holds the row of the session's user until the transaction ends. @returns the user's id. */
  lockOwner(sessionId: string, trx: Transaction): Promise<string | undefined> {
    return this.#lock(LOCK_OWNER, sessionId, trx);
  }

  /** The same, by the selector of a refresh token. */
  lockOwnerBySelector(selectorDigest: Buffer, trx: Transaction): Promise<string | undefined> {
    return this.#lock(LOCK_OWNER_BY_SELECTOR, selectorDigest, trx);
  }

  /** Holds the row of a user until the transaction ends. */
  async lockUser(userId: string, trx: Transaction): Promise<void> {
    await this.#lock(LOCK_USER, userId, trx);
  }

  /** The session that a refresh token may end: it must be the current token of it or a genuine older one. */
  async findForLogout(token: PresentedToken, trx: Transaction): Promise<string | undefined> {
    const { selectorDigest, generation, secretDigest, isGenuine } = token;
    const values = [selectorDigest, generation, secretDigest, isGenuine];
    const [row] = await this.#database.query<{ id: string }>(FIND_FOR_LOGOUT, values, trx);
    return row?.id;
  }

  /** Ends a session and its descendants. */
  revokeTree(sessionId: string, reason: RevokeReason, trx: Transaction): Promise<RevokedSessions> {
    return this.#revoke(REVOKE_TREE, [sessionId, reason], trx);
  }

  /** Ends every session of a user, or all but one and its ancestors. */
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

  async #lock(lock: Statement, value: unknown, trx: Transaction): Promise<string | undefined> {
    const [row] = await this.#database.query<{ id: string }>(lock, [value], trx);
    return row?.id;
  }

  async #revoke(revoke: Statement, values: unknown[], trx: Transaction): Promise<RevokedSessions> {
    const rows = await this.#database.query<EndedRow>(revoke, values, trx);
    return { any: rows.length > 0, activeIds: rows.filter((row) => row.was_active).map((row) => row.id) };
  }
}
