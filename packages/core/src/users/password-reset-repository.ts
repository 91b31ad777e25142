import { statement, type Database, type Transaction } from '../storage/database.js';

/** A token that can be spent, with its user. */
interface UsableToken {
  id: string;
  userId: string;
  email: string;
}

/** Limit of reset mails to one user. */
export interface MailAllowance {
  /** Number of mails that can be sent at once. */
  capacity: number;
  /** Seconds until one more can be sent. */
  refillSeconds: number;
}

/** A token for the mail that carries it. */
interface NewResetToken {
  /** The mail's id: a second attempt at sending it replaces the secret of the first. */
  id: string;
  userId: string;
  tokenDigest: Buffer;
  /** Seconds from now. */
  lifetime: number;
  /** Time at which the mail was requested. */
  requestedAt: Date;
}

const FIND_USABLE = statement(
  'password_reset_find_usable',
  `SELECT t.id, t.user_id, u.email
   FROM password_reset_tokens t JOIN users u ON u.id = t.user_id
   WHERE t.token_digest = $1 AND t.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()`,
);

/**
 * Takes one mail off the user's allowance, except for another attempt at the same mail, and stores its token. Of
 * transactions that wait for one user, a later one may have the earlier `now()`; five seconds make up for that.
 * Returns no row for a request that was made before the password was last set. Replicas of the previous
 * version record a reset in `used_at` alone.
 */
const ISSUE = statement(
  'password_reset_issue',
  `WITH mail AS (
     SELECT EXISTS (SELECT 1 FROM password_reset_tokens WHERE id = $1::uuid) AS is_retried,
       make_interval(secs => $6::double precision) AS refill
   ), allowed AS (
     UPDATE users SET reset_mails_full_at = CASE WHEN is_retried THEN reset_mails_full_at
                                            ELSE greatest(reset_mails_full_at, now()) + refill END
     FROM mail
     WHERE users.id = $2::uuid
       AND (is_retried
            OR greatest(reset_mails_full_at, now()) + refill <= now() + refill * $7::int + interval '5 seconds')
       AND (password_changed_at IS NULL OR password_changed_at < $5::timestamptz)
       AND NOT EXISTS (SELECT 1 FROM password_reset_tokens t WHERE t.user_id = $2 AND t.used_at >= $5)
     RETURNING users.id
   )
   INSERT INTO password_reset_tokens AS t (id, user_id, token_digest, expires_at)
   SELECT $1, id, $3::bytea, now() + make_interval(secs => $4::double precision) FROM allowed
   ON CONFLICT (id) DO UPDATE SET token_digest = EXCLUDED.token_digest, expires_at = EXCLUDED.expires_at
     WHERE t.used_at IS NULL AND t.revoked_at IS NULL
   RETURNING id`,
);

/**
 * Stores reset tokens. Decisions on them are made under the lock of their user's row, which the callers hold.
 */
export class PasswordResetRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the token of this digest, unless it was used, was replaced or has expired. */
  async findUsable(tokenDigest: Buffer): Promise<UsableToken | undefined> {
    const [row] = await this.#database.query<{ id: string; user_id: string; email: string }>(FIND_USABLE, [
      tokenDigest,
    ]);
    return row && { id: row.id, userId: row.user_id, email: row.email };
  }

  /**
   * Stores the digest of a token; the transaction must hold the user's row.
   * @returns false when the allowance is used up, or the password was set after the mail was requested.
   */
  async issue(token: NewResetToken, allowance: MailAllowance, trx: Transaction): Promise<boolean> {
    const { id, userId, tokenDigest, lifetime, requestedAt } = token;
    const { capacity, refillSeconds } = allowance;
    const values = [id, userId, tokenDigest, lifetime, requestedAt, refillSeconds, capacity];
    return (await this.#database.query(ISSUE, values, trx)).length > 0;
  }

  /** Spends a token. @returns false, and nothing is spent, when it is not usable any more. */
  async spend(token: UsableToken, tokenDigest: Buffer, trx: Transaction): Promise<boolean> {
    const spent = await trx('password_reset_tokens')
      .where({ id: token.id, token_digest: tokenDigest, used_at: null, revoked_at: null })
      .where('expires_at', '>', trx.raw('now()'))
      .update({ used_at: trx.raw('now()') });
    return spent > 0;
  }

  /** Removes every token of the user. */
  async removeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('password_reset_tokens').where({ user_id: userId }).delete();
  }

  /** Revokes every unused token of the user. */
  async revokeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('password_reset_tokens')
      .where({ user_id: userId, used_at: null, revoked_at: null })
      .update({ revoked_at: trx.raw('now()') });
  }
}
