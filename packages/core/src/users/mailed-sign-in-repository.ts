import { statement, type Database, type Transaction } from '../storage/database.js';

/** Wrong codes that end a mail with its link. */
const MAX_WRONG_CODES = 5;
/** Mails of an account in an hour. */
const MAX_MAILS = 3;

/** A sign-in for the mail that carries its secrets. */
interface NewMailedSignIn {
  /** The id of the mail. */
  id: string;
  userId: string;
  challenge: string;
  tokenDigest: Buffer;
  codeDigest: Buffer;
  /** Seconds from now. */
  lifetime: number;
  /** Time at which the mail was requested. */
  requestedAt: Date;
}

/** A mail whose link or code was shown. */
export interface ProvedMail {
  id: string;
  userId: string;
}

/**
 * Takes one mail off the hour of the user, except for another attempt at the same mail. The transaction holds the user's row, so counts
 * are exact. Of transactions that wait for one user, a later one may have the earlier `now()`; five seconds make up for that.
 */
const ISSUE = statement(
  'mailed_sign_in_issue',
  `INSERT INTO mailed_sign_ins AS m (id, user_id, challenge, token_digest, code_digest, token_version, email_digest, requested_at,
     expires_at)
   SELECT $1::uuid, u.id, $3, $4, $5, u.token_version, sha256(convert_to(u.email, 'UTF8')), $6::timestamptz,
     now() + make_interval(secs => $7)
   FROM users u
   WHERE u.id = $2::uuid AND (u.password_changed_at IS NULL OR u.password_changed_at < $6::timestamptz)
     AND (SELECT count(*) FROM mailed_sign_ins o WHERE o.user_id = $2::uuid AND o.id <> $1::uuid
            AND o.created_at > now() - interval '1 hour' + interval '5 seconds') < $8::integer
   ON CONFLICT (id) DO UPDATE SET token_digest = EXCLUDED.token_digest, code_digest = EXCLUDED.code_digest,
     token_version = EXCLUDED.token_version, email_digest = EXCLUDED.email_digest, expires_at = EXCLUDED.expires_at
     WHERE m.used_at IS NULL
   RETURNING id`,
);

/** The mail can still be used: neither the secrets of the user nor their address have changed since it was sent. */
const IS_OPEN = `m.used_at IS NULL AND m.expires_at > now() AND m.wrong_codes < ${MAX_WRONG_CODES}
     AND u.token_version = m.token_version AND sha256(convert_to(u.email, 'UTF8')) = m.email_digest
     AND (u.password_changed_at IS NULL OR u.password_changed_at < m.requested_at)`;

const FIND_OWNER = statement(
  'mailed_sign_in_find_owner',
  `SELECT m.user_id FROM mailed_sign_ins m JOIN users u ON u.id = m.user_id
   WHERE m.challenge = $1 AND ${IS_OPEN} ORDER BY m.created_at DESC LIMIT 1`,
);
const FIND_BY_TOKEN = statement(
  'mailed_sign_in_find_by_token',
  `SELECT m.id, m.user_id FROM mailed_sign_ins m JOIN users u ON u.id = m.user_id
   WHERE m.challenge = $1 AND m.token_digest = $2 AND ${IS_OPEN}`,
);
/** Counts a code for each mail of the client that has another one. */
const TRY_CODE = statement(
  'mailed_sign_in_try_code',
  `UPDATE mailed_sign_ins m SET wrong_codes = m.wrong_codes + CASE WHEN m.code_digest = $3 THEN 0 ELSE 1 END
   FROM users u
   WHERE m.challenge = $1 AND m.user_id = $2 AND u.id = m.user_id AND ${IS_OPEN}
   RETURNING m.id, m.user_id, m.code_digest = $3 AS is_right`,
);
const SPEND = statement(
  'mailed_sign_in_spend',
  `UPDATE mailed_sign_ins m SET used_at = now() FROM users u
   WHERE m.id = $1 AND u.id = m.user_id AND ${IS_OPEN} RETURNING m.id`,
);

interface Row {
  id: string;
  user_id: string;
}

/** Stores sign-ins by mail. Decisions on them are made under the lock of their user's row, which the callers hold. */
export class MailedSignInRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Stores the digests of a mail's link and code; the transaction must hold the user's row.
   * @returns false for the fourth mail of an hour, and if the password was set after the mail was requested.
   */
  async issue(mail: NewMailedSignIn, trx: Transaction): Promise<boolean> {
    const { id, userId, challenge, tokenDigest, codeDigest, requestedAt, lifetime } = mail;
    const values = [id, userId, challenge, tokenDigest, codeDigest, requestedAt, lifetime, MAX_MAILS];
    return (await this.#database.query(ISSUE, values, trx)).length > 0;
  }

  /** Returns the user of the newest mail that a client can still use. It decides nothing. */
  async ownerOf(challenge: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ user_id: string }>(FIND_OWNER, [challenge]);
    return row?.user_id;
  }

  /** Returns the mail of a link, if the client asked for it and can still use it. */
  async findByToken(challenge: string, tokenDigest: Buffer): Promise<ProvedMail | undefined> {
    const [row] = await this.#database.query<Row>(FIND_BY_TOKEN, [challenge, tokenDigest]);
    return row && { id: row.id, userId: row.user_id };
  }

  /** Returns the mail of a code. A code that no mail of the client has counts for all of them: the fifth ends them. */
  async tryCode(
    { challenge, userId, codeDigest }: { challenge: string; userId: string; codeDigest: Buffer },
    trx: Transaction,
  ): Promise<ProvedMail | undefined> {
    const values = [challenge, userId, codeDigest];
    const rows = await this.#database.query<Row & { is_right: boolean }>(TRY_CODE, values, trx);
    const right = rows.find(({ is_right: isRight }) => isRight);
    return right && { id: right.id, userId: right.user_id };
  }

  /** Ends a mail with its link and code. Of simultaneous calls one succeeds; none if the user has changed. */
  async spend(id: string, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(SPEND, [id], trx)).length > 0;
  }

  /** Removes the mailed sign-ins of a user. */
  async removeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('mailed_sign_ins').where({ user_id: userId }).delete();
  }
}
