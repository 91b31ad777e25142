import { statement, type Database, type Transaction } from '../storage/database.js';
import { erasedEmailOf } from './email.js';
import { PROFILE_COLUMNS } from './profile-fields.js';
import { toUser, userColumns, type UserRow } from './user-row.js';
import type { User } from './user.js';

/** Requests that write a mail or an audit row about the user hold it in shared mode, by a trigger. */
const FENCE = statement(
  'user_erasure_fence',
  `SELECT pg_advisory_xact_lock(hashtextextended('erasure:' || $1::text, 0))`,
);

const CLEARED_PROFILE = PROFILE_COLUMNS.map((column) => `${column} = NULL`).join(', ');

const ERASE = statement(
  'user_erase',
  `UPDATE users SET email = $2, full_name = NULL, ${CLEARED_PROFILE},
     legacy_ids = '{}', password_hash = NULL, auth_provider = 'password', email_verified_at = NULL,
     password_changed_at = NULL, reset_mails_full_at = NULL, device_notice_from = NULL, last_login_at = NULL,
     global_role = 'NONE', approval_status = 'REJECTED', is_active = false,
     token_version = token_version + 1, factor_version = factor_version + 1, updated_at = now(), erased_at = now()
   WHERE id = $1 AND erased_at IS NULL
   RETURNING ${userColumns().join(', ')}`,
);

const OF_OTHERS = statement(
  'user_emails_of_others',
  'SELECT email FROM users WHERE email = ANY($1::text[]) AND id <> $2',
);

/** Erases rows of `users`. A trigger rejects every later change of an erased row. */
export class UserErasureRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Waits for requests that are writing a mail or an audit row about the user; later ones wait until this transaction ends, and
   * then see its result. The transaction must have locked the user's row.
   */
  async fence(userId: string, trx: Transaction): Promise<void> {
    await this.#database.query(FENCE, [userId], trx);
  }

  /** Overwrites a row that the transaction has locked. @returns the tombstone; undefined if the row was one already. */
  async erase(userId: string, trx: Transaction): Promise<User | undefined> {
    const [row] = await this.#database.query<UserRow>(ERASE, [userId, erasedEmailOf(userId)], trx);
    return row && toUser(row);
  }

  /** Returns the addresses that no other user has now. */
  async withoutThoseOfOthers(emails: readonly string[], userId: string, trx: Transaction): Promise<string[]> {
    const rows = await this.#database.query<{ email: string }>(OF_OTHERS, [emails, userId], trx);
    const ofOthers = new Set(rows.map(({ email }) => email));
    return [...new Set(emails)].filter((email) => !ofOthers.has(email));
  }
}
