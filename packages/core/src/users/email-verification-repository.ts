import { newId } from '../kernel/id.js';
import { statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import { toUser, userColumns, type UserRow } from './user-row.js';
import type { User } from './user.js';

/** A token that can be spent, with its user. */
export interface UsableVerification {
  id: string;
  user: User;
}

/** The secrets of a mail: the link that proves the mailbox, and the link that rejects the registration. */
export interface VerificationSecrets {
  /** The row. A second attempt at the same mail replaces the secrets of the first. */
  id: string;
  tokenDigest: Buffer;
  rejectionDigest: Buffer;
  /** Seconds from now. */
  lifetime: number;
}

const USABLE = 't.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()';
const OPEN = 't.used_at IS NULL AND t.revoked_at IS NULL';

const TOKEN_AND_USER = `SELECT t.id AS token_id, ${userColumns('u').join(', ')}
   FROM email_verification_tokens t JOIN users u ON u.id = t.user_id`;
const FIND_USABLE = statement(
  'email_verification_find_usable',
  `${TOKEN_AND_USER} WHERE t.token_digest = $1 AND ${USABLE}`,
);
const FIND_REJECTABLE = statement(
  'email_verification_find_rejectable',
  `${TOKEN_AND_USER} WHERE t.rejection_digest = $1 AND ${USABLE}`,
);

const FIND_OPEN = statement(
  'email_verification_find_open',
  `SELECT user_id FROM email_verification_tokens t WHERE id = $1 AND ${OPEN}`,
);
const HAS_OPEN = statement(
  'email_verification_has_open',
  `SELECT 1 AS found FROM email_verification_tokens t WHERE user_id = $1 AND ${OPEN} LIMIT 1`,
);
const ISSUE = statement(
  'email_verification_issue',
  `UPDATE email_verification_tokens t
   SET token_digest = $2, rejection_digest = $3, expires_at = now() + make_interval(secs => $4::double precision)
   WHERE id = $1 AND ${OPEN}
   RETURNING id`,
);
const ISSUE_AGAIN = statement(
  'email_verification_issue_again',
  `INSERT INTO email_verification_tokens AS t (id, user_id, token_digest, rejection_digest, expires_at, is_resent)
   SELECT $1::uuid, $2::uuid, $3::bytea, $4::bytea, now() + make_interval(secs => $5::double precision), true
   WHERE EXISTS (SELECT 1 FROM email_verification_tokens WHERE id = $1)
     OR (SELECT count(*) FROM email_verification_tokens r
         WHERE r.user_id = $2 AND r.is_resent AND r.created_at > now() - interval '1 hour') < $6::int
   ON CONFLICT (id) DO UPDATE SET token_digest = EXCLUDED.token_digest,
     rejection_digest = EXCLUDED.rejection_digest, expires_at = EXCLUDED.expires_at WHERE ${OPEN}
   RETURNING id`,
);

/** The wait until the oldest of the last $2 mails that were requested again is an hour old. */
const RESEND_WAIT = statement(
  'email_verification_resend_wait',
  `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::integer AS wait
   FROM email_verification_tokens
   WHERE user_id = $1 AND is_resent AND created_at > now() - interval '1 hour'
   ORDER BY created_at DESC, id DESC OFFSET $2::integer - 1 LIMIT 1`,
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

  /**
   * Inserts the token of a registration; it has no secret until its mail is sent.
   * @param options `isResent`: the mail counts as one that was requested again. Defaults to false.
   * @returns its id.
   */
  async insert(userId: string, trx: Transaction, { isResent = false } = {}): Promise<string> {
    const id = newId();
    await trx('email_verification_tokens').insert({ id, user_id: userId, is_resent: isResent });
    return id;
  }

  /**
   * Returns the seconds until the mail of the user may be requested again; 0 if it may now. The transaction must hold the
   * user's row.
   */
  async resendWait(userId: string, perHour: number, trx: Transaction): Promise<number> {
    const [row] = await this.#database.query<{ wait: number }>(RESEND_WAIT, [userId, perHour], trx);
    return row?.wait ?? 0;
  }

  /** Returns the user of this token, unless the token was used or revoked. */
  async findOpen(id: string): Promise<{ userId: string } | undefined> {
    const [row] = await this.#database.query<{ user_id: string }>(FIND_OPEN, [id]);
    return row && { userId: row.user_id };
  }

  /** Reports whether the user has a token, expired or not, that was neither used nor revoked. */
  async hasOpen(userId: string, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(HAS_OPEN, [userId], trx)).length > 0;
  }

  /** Stores the secrets of a token that was inserted before. @returns false when it was used or revoked. */
  async issue(secrets: VerificationSecrets, trx: Transaction): Promise<boolean> {
    const { id, tokenDigest, rejectionDigest, lifetime } = secrets;
    return (await this.#database.query(ISSUE, [id, tokenDigest, rejectionDigest, lifetime], trx)).length > 0;
  }

  /**
   * Stores a further token of the user for a mail that was requested again; the transaction must hold the user's row.
   * @returns false when the user has had that many within the last hour.
   */
  async issueAgain(
    { id, tokenDigest, rejectionDigest, lifetime }: VerificationSecrets,
    { userId, perHour }: { userId: string; perHour: number },
    trx: Transaction,
  ): Promise<boolean> {
    const values = [id, userId, tokenDigest, rejectionDigest, lifetime, perHour];
    return (await this.#database.query(ISSUE_AGAIN, values, trx)).length > 0;
  }

  /** Returns the token of this digest with its user, unless it was used or revoked, or has expired. */
  findUsable(tokenDigest: Buffer): Promise<UsableVerification | undefined> {
    return this.#find(FIND_USABLE, tokenDigest);
  }

  /** Returns the token whose link for rejection has this digest, unless it was used or revoked, or has expired. */
  findRejectable(rejectionDigest: Buffer): Promise<UsableVerification | undefined> {
    return this.#find(FIND_REJECTABLE, rejectionDigest);
  }

  async #find(by: Statement, digest: Buffer): Promise<UsableVerification | undefined> {
    const [row] = await this.#database.query<UserRow & { token_id: string }>(by, [digest]);
    return row && { id: row.token_id, user: toUser(row) };
  }

  /**
   * Spends a token by the digest of one of its secrets, and revokes the other tokens of its user.
   * @returns false when it is not usable any more; the caller then rolls back.
   */
  async spend(
    { id, user }: UsableVerification,
    secret: { tokenDigest: Buffer } | { rejectionDigest: Buffer },
    trx: Transaction,
  ): Promise<boolean> {
    const digest =
      'tokenDigest' in secret
        ? { token_digest: secret.tokenDigest }
        : { rejection_digest: secret.rejectionDigest };
    const spent = await trx('email_verification_tokens')
      .where({ id, ...digest, used_at: null, revoked_at: null })
      .where('expires_at', '>', trx.raw('now()'))
      .update({ used_at: trx.raw('now()') });
    if (spent === 0) return false;
    await this.revokeAll(user.id, trx);
    return true;
  }

  /** Removes every token of the user. */
  async removeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('email_verification_tokens').where({ user_id: userId }).delete();
  }

  /** Revokes every unused token of the user, also those whose mail has not been sent yet. */
  async revokeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('email_verification_tokens')
      .where({ user_id: userId, used_at: null, revoked_at: null })
      .update({ revoked_at: trx.raw('now()') });
  }
}
