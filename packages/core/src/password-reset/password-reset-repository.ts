import { statement, type Database, type Transaction } from '../storage/database.js';

/** A token that can be spent, and whose it is. */
export interface UsableToken {
  id: string;
  userId: string;
  email: string;
}

/** A token as the mail that carries it needs it. */
export interface NewResetToken {
  /** The mail's id: a second attempt at sending it replaces the secret of the first. */
  id: string;
  userId: string;
  tokenDigest: Buffer;
  /** Seconds from now. */
  lifetime: number;
  /** When the mail was asked for. */
  requestedAt: Date;
}

const FIND_USABLE = statement(
  'password_reset_find_usable',
  `SELECT t.id, t.user_id, u.email
   FROM password_reset_tokens t JOIN users u ON u.id = t.user_id
   WHERE t.token_digest = $1 AND t.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()`,
);

/** A request that was made before the last reset has found its answer in it. */
const ISSUE = statement(
  'password_reset_issue',
  `INSERT INTO password_reset_tokens AS t (id, user_id, token_digest, expires_at)
   SELECT $1::uuid, $2::uuid, $3::bytea, now() + make_interval(secs => $4::double precision)
   WHERE NOT EXISTS (SELECT 1 FROM password_reset_tokens WHERE user_id = $2 AND used_at >= $5::timestamptz)
     AND $6::int > (SELECT count(*) FROM password_reset_tokens
                    WHERE user_id = $2 AND id <> $1 AND created_at > now() - interval '1 hour')
   ON CONFLICT (id) DO UPDATE SET token_digest = EXCLUDED.token_digest, expires_at = EXCLUDED.expires_at
     WHERE t.used_at IS NULL AND t.revoked_at IS NULL
   RETURNING id`,
);

/** Reset tokens. What is decided on them stands under the lock of their user's row, which callers hold. */
export class PasswordResetRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The token of this digest, unless it was used, was replaced or has expired. */
  async findUsable(tokenDigest: Buffer): Promise<UsableToken | undefined> {
    const [row] = await this.#database.query<{ id: string; user_id: string; email: string }>(FIND_USABLE, [
      tokenDigest,
    ]);
    return row && { id: row.id, userId: row.user_id, email: row.email };
  }

  /**
   * Stores the digest of a token, once the transaction holds the user's row.
   * @param hourlyLimit tokens that a user gets within an hour.
   * @returns false when the user has had that many, or a reset has happened since the mail was asked for.
   */
  async issue(token: NewResetToken, hourlyLimit: number, trx: Transaction): Promise<boolean> {
    const { id, userId, tokenDigest, lifetime, requestedAt } = token;
    const values = [id, userId, tokenDigest, lifetime, requestedAt, hourlyLimit];
    return (await this.#database.query(ISSUE, values, trx)).length > 0;
  }

  /** Spends a token and all its siblings. @returns false, and nothing is spent, when it is not usable any more. */
  async spend(token: UsableToken, tokenDigest: Buffer, trx: Transaction): Promise<boolean> {
    const spent = await trx('password_reset_tokens')
      .where({ id: token.id, token_digest: tokenDigest, used_at: null, revoked_at: null })
      .where('expires_at', '>', trx.raw('now()'))
      .update({ used_at: trx.raw('now()') });
    if (spent === 0) return false;
    await trx('password_reset_tokens')
      .where({ user_id: token.userId, used_at: null, revoked_at: null })
      .update({ revoked_at: trx.raw('now()') });
    return true;
  }

  /** Who knew the old password may have added passkeys of their own: none is kept. @returns how many there were. */
  async removePasskeys(userId: string, trx: Transaction): Promise<number> {
    return trx('passkey_credentials').where({ user_id: userId }).delete();
  }
}
