import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import type { ExternalIdentity, ProvedIdentity } from './external-identity.js';

interface IdentityRow {
  id: string;
  user_id: string;
  connection_id: string;
  subject: string;
  email: string | null;
  email_verified: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

const COLUMNS = 'id, user_id, connection_id, subject, email, email_verified, created_at, last_used_at';

const FIND = statement(
  'external_identity_find',
  `SELECT ${COLUMNS} FROM external_identities WHERE connection_id = $1 AND subject = $2`,
);
const LIST = statement(
  'external_identity_list',
  `SELECT ${COLUMNS} FROM external_identities WHERE user_id = $1 ORDER BY created_at, id`,
);
/** The unique key decides between simultaneous calls, and the lock of the user's row makes the count exact. */
const INSERT = statement(
  'external_identity_insert',
  `INSERT INTO external_identities (id, user_id, connection_id, subject, email, email_verified, proves_mailbox, last_used_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, CASE WHEN $8::boolean THEN now() END
   WHERE (SELECT count(*) FROM external_identities WHERE user_id = $2) < $9::int
   ON CONFLICT (connection_id, subject) DO NOTHING RETURNING ${COLUMNS}`,
);
const TOUCH = statement(
  'external_identity_touch',
  `UPDATE external_identities SET last_used_at = now(), email = $4, email_verified = $5, proves_mailbox = $6
   WHERE id = $1 AND user_id = $2 AND subject = $3 RETURNING id`,
);
const DELETE = statement(
  'external_identity_delete',
  `DELETE FROM external_identities WHERE id = $1 AND user_id = $2 RETURNING ${COLUMNS}`,
);
/** Those that prove the mailbox of the account stay: their holder has the mailbox. */
const DELETE_DISTRUSTED = statement(
  'external_identity_delete_distrusted',
  `DELETE FROM external_identities i USING users u
   WHERE i.user_id = $1 AND u.id = i.user_id AND i.created_at >= $2
     AND NOT (i.proves_mailbox AND i.email IS NOT DISTINCT FROM u.email)
   RETURNING i.id, i.user_id, i.connection_id, i.subject, i.email, i.email_verified, i.created_at, i.last_used_at`,
);
const OTHER_WAYS_IN = statement(
  'external_identity_other_ways_in',
  `SELECT (SELECT count(*) FROM users WHERE id = $1 AND password_hash IS NOT NULL)
     + (SELECT count(*) FROM passkey_credentials WHERE user_id = $1 AND $4::boolean)
     + (SELECT count(*) FROM external_identities WHERE user_id = $1 AND id <> $2 
        AND ($3::text[] IS NULL OR connection_id = ANY($3::text[]))) AS ways`,
);

/** The ways to sign in that a service offers. */
export interface OfferedWays {
  /** Undefined: every connection. */
  connectionIds: readonly string[] | undefined;
  passkeys: boolean;
}

/** Stores identities. Callers that add or remove one hold the row of its user. */
export class ExternalIdentityRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(
    { connectionId, subject }: Pick<ProvedIdentity, 'connectionId' | 'subject'>,
    trx?: Transaction,
  ): Promise<ExternalIdentity | undefined> {
    return one(await this.#database.query<IdentityRow>(FIND, [connectionId, subject], trx));
  }

  /** Returns the identities of a user, the oldest first. There are few. */
  async list(userId: string, trx?: Transaction): Promise<ExternalIdentity[]> {
    return (await this.#database.query<IdentityRow>(LIST, [userId], trx)).map(toIdentity);
  }

  /**
   * Adds an identity to a user whose row the transaction has locked.
   * @returns undefined if it belongs to a user already, or the user has as many as `most`.
   */
  async insert(
    userId: string,
    { connectionId, subject, email, emailVerified, provesMailbox }: ProvedIdentity,
    { isUsed, most }: { isUsed: boolean; most: number },
    trx: Transaction,
  ): Promise<ExternalIdentity | undefined> {
    const values = [
      newId(),
      userId,
      connectionId,
      subject,
      email,
      emailVerified,
      provesMailbox,
      isUsed,
      most,
    ];
    return one(await this.#database.query<IdentityRow>(INSERT, values, trx));
  }

  /** Records a use. @returns false if the user no longer has the identity. */
  async touch(
    { id, userId }: Pick<ExternalIdentity, 'id' | 'userId'>,
    { subject, email, emailVerified, provesMailbox }: ProvedIdentity,
    trx: Transaction,
  ): Promise<boolean> {
    const values = [id, userId, subject, email, emailVerified, provesMailbox];
    return (await this.#database.query(TOUCH, values, trx)).length > 0;
  }

  /** Removes an identity. @returns undefined when the user has no such identity: only one of several calls gets it. */
  async remove(id: string, userId: string, trx: Transaction): Promise<ExternalIdentity | undefined> {
    return one(await this.#database.query<IdentityRow>(DELETE, [id, userId], trx));
  }

  /**
   * Removes the identities that another person may have linked since a time: all but those that prove the mailbox of the account.
   * @returns the removed ones.
   */
  async removeDistrusted(userId: string, since: Date, trx: Transaction): Promise<ExternalIdentity[]> {
    const rows = await this.#database.query<IdentityRow>(DELETE_DISTRUSTED, [userId, since], trx);
    return rows.map(toIdentity);
  }

  /** Removes every identity of a user who is erased. @returns their number. */
  async removeAll(userId: string, trx: Transaction): Promise<number> {
    return trx('external_identities').where({ user_id: userId }).delete();
  }

  /** Reports whether the user can sign in without this identity: by a password, a passkey or another identity. */
  async hasOtherWayIn(
    { id, userId }: Pick<ExternalIdentity, 'id' | 'userId'>,
    { connectionIds, passkeys }: OfferedWays,
    trx: Transaction,
  ): Promise<boolean> {
    const values = [userId, id, connectionIds ?? null, passkeys];
    const [row] = await this.#database.query<{ ways: string }>(OTHER_WAYS_IN, values, trx);
    return toCount(row?.ways) > 0;
  }
}

const toIdentity = (row: IdentityRow): ExternalIdentity => ({
  id: row.id,
  userId: row.user_id,
  connectionId: row.connection_id,
  subject: row.subject,
  email: row.email,
  emailVerified: row.email_verified,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

const one = ([row]: IdentityRow[]): ExternalIdentity | undefined => row && toIdentity(row);
