import { statement, type Database, type Transaction } from '../storage/database.js';

/** Links that a user gets in an hour. */
const MAX_LINKS = 3;

/** A link for the mail that carries it. */
interface NewDeletionLink {
  /** The id of the mail. */
  id: string;
  userId: string;
  tokenDigest: Buffer;
}

/** The link undoes the deletion for which it was sent, to the address to which it was sent, until the deletion is due. */
const IS_USABLE = `l.token_digest = $1 AND u.id = l.user_id AND u.delete_at = l.delete_at AND l.delete_at > now()
     AND l.email_digest = sha256(convert_to(u.email, 'UTF8'))`;

/** Takes one link off the hour of the user, except for another attempt at the same mail. */
const ISSUE = statement(
  'deletion_link_issue',
  `INSERT INTO deletion_links AS l (id, user_id, token_digest, delete_at, email_digest)
   SELECT $1::uuid, u.id, $3, u.delete_at, sha256(convert_to(u.email, 'UTF8'))
   FROM users u
   WHERE u.id = $2::uuid AND u.delete_at > now()
     AND (SELECT count(*) FROM deletion_links o WHERE o.user_id = $2::uuid AND o.id <> $1::uuid AND o.delete_at = u.delete_at
            AND o.created_at > now() - interval '1 hour' + interval '5 seconds') < $4::integer
   ON CONFLICT (id) DO UPDATE SET token_digest = EXCLUDED.token_digest, delete_at = EXCLUDED.delete_at,
     email_digest = EXCLUDED.email_digest
   RETURNING delete_at`,
);
const FIND_OWNER = statement(
  'deletion_link_owner',
  `SELECT l.user_id FROM deletion_links l JOIN users u ON u.id = l.user_id WHERE ${IS_USABLE}`,
);
const SPEND = statement(
  'deletion_link_spend',
  `DELETE FROM deletion_links l USING users u WHERE ${IS_USABLE} RETURNING l.id`,
);

/** Stores links that undo deletions. Decisions on them are made under the lock of their user's row, which the callers hold. */
export class DeletionLinkRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Stores the digest of a link; the transaction must hold the user's row.
   * @returns the time of the deletion; undefined if none is pending, and for the fourth link of an hour.
   */
  async issue({ id, userId, tokenDigest }: NewDeletionLink, trx: Transaction): Promise<Date | undefined> {
    const values = [id, userId, tokenDigest, MAX_LINKS];
    const [row] = await this.#database.query<{ delete_at: Date }>(ISSUE, values, trx);
    return row?.delete_at;
  }

  /** Returns the user whose deletion a link undoes. It decides nothing. */
  async ownerOf(tokenDigest: Buffer): Promise<string | undefined> {
    const [row] = await this.#database.query<{ user_id: string }>(FIND_OWNER, [tokenDigest]);
    return row?.user_id;
  }

  /** Ends a link. @returns false when it is not usable any more; the caller then rolls back. */
  async spend(tokenDigest: Buffer, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(SPEND, [tokenDigest], trx)).length > 0;
  }

  /** Removes every link of the user. */
  async removeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('deletion_links').where({ user_id: userId }).delete();
  }
}
