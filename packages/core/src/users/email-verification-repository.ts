import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';

/** A token that can be spent, with its user. */
export interface UsableVerification {
  id: string;
  userId: string;
  email: string;
}

/** A registration whose link has not been used or revoked. */
export interface OpenVerification {
  userId: string;
}

/**
 * Condition on the user of a link: waiting for approval, or approved by staff meanwhile. A link does not
 * approve a staff role: a user who got one while they waited is approved by the administrator who gave it.
 */
const IS_CONCERNED = `((users.approval_status = 'PENDING' AND users.global_role = 'NONE')
  OR (users.approval_status = 'APPROVED' AND users.is_active))`;
const USABLE = 't.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()';

const FIND_USABLE = statement(
  'email_verification_find_usable',
  `SELECT t.id, t.user_id, users.email
   FROM email_verification_tokens t JOIN users ON users.id = t.user_id
   WHERE t.token_digest = $1 AND ${USABLE} AND ${IS_CONCERNED}`,
);
const FIND_OPEN = statement(
  'email_verification_find_open',
  `SELECT user_id FROM email_verification_tokens WHERE id = $1 AND used_at IS NULL AND revoked_at IS NULL`,
);
/** Another attempt at the same mail replaces the secret of the one before. */
const ISSUE = statement(
  'email_verification_issue',
  `UPDATE email_verification_tokens t
   SET token_digest = $2, expires_at = now() + make_interval(secs => $3::double precision)
   FROM users
   WHERE t.id = $1 AND t.used_at IS NULL AND t.revoked_at IS NULL
     AND users.id = t.user_id AND users.email = $4 AND users.email_verified_at IS NULL AND ${IS_CONCERNED}
   RETURNING t.id`,
);
/** Spends the token and approves in one go; neither happens without the other. */
const PROVE = statement(
  'email_verification_prove',
  `WITH spent AS (
     UPDATE email_verification_tokens t SET used_at = now()
     WHERE t.id = $1 AND t.token_digest = $2 AND ${USABLE}
     RETURNING t.user_id
   )
   UPDATE users SET approval_status = 'APPROVED', is_active = true,
     email_verified_at = coalesce(email_verified_at, now()), updated_at = now()
   FROM spent
   WHERE users.id = spent.user_id AND ${IS_CONCERNED}
   RETURNING users.id`,
);

/**
 * Stores tokens that prove mailboxes. Decisions on them are made under the lock of their user's row, which
 * the callers hold.
 */
export class EmailVerificationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Inserts the token of a registration; it has no secret until its mail is sent. @returns its id. */
  async insert(userId: string, trx: Transaction): Promise<string> {
    const id = newId();
    await trx('email_verification_tokens').insert({ id, user_id: userId });
    return id;
  }

  /** Returns the registration of this token, unless the token was used or revoked. */
  async findOpen(id: string): Promise<OpenVerification | undefined> {
    const [row] = await this.#database.query<{ user_id: string }>(FIND_OPEN, [id]);
    return row && { userId: row.user_id };
  }

  /**
   * Stores the digest of a new token; the transaction must hold the user's row.
   * @param token `lifetime` in seconds; `email` is the address that the mail is sent to.
   * @returns false when there is nothing left to prove.
   */
  async issue(
    token: { id: string; tokenDigest: Buffer; lifetime: number; email: string },
    trx: Transaction,
  ): Promise<boolean> {
    const { id, tokenDigest, lifetime, email } = token;
    return (await this.#database.query(ISSUE, [id, tokenDigest, lifetime, email], trx)).length > 0;
  }

  /**
   * Returns the token of this digest, unless it was used or revoked, has expired, or its registration was
   * decided against.
   */
  async findUsable(tokenDigest: Buffer): Promise<UsableVerification | undefined> {
    const [row] = await this.#database.query<{ id: string; user_id: string; email: string }>(FIND_USABLE, [
      tokenDigest,
    ]);
    return row && { id: row.id, userId: row.user_id, email: row.email };
  }

  /**
   * Spends a token: its user becomes approved and active, with a proved mailbox.
   * @returns false when it is not usable any more; the caller then rolls back.
   */
  async prove(token: UsableVerification, tokenDigest: Buffer, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(PROVE, [token.id, tokenDigest], trx)).length > 0;
  }
  /** Revokes every unused token of the user, also those whose mail has not been sent yet. */
  async revokeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('email_verification_tokens')
      .where({ user_id: userId, used_at: null, revoked_at: null })
      .update({ revoked_at: trx.raw('now()') });
  }
}
