import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import type { User } from '../users/user.js';
import {
  CHALLENGE_SECONDS,
  MAX_CHALLENGE_ATTEMPTS,
  MAX_WRONG_CODES,
  WRONG_CODES_SECONDS,
  type ChallengeOrigin,
} from './challenge.js';

/** A new challenge, with the verified state of the user. */
export interface NewChallenge {
  userId: string;
  digest: Buffer;
  origin: ChallengeOrigin;
  tokenVersion: number;
  passwordHash: string;
  factorVersion: number;
  enrols: boolean;
}

/** A challenge that can still be answered, with its user. */
export interface OpenChallenge {
  id: string;
  origin: ChallengeOrigin;
  /** True if the user must set up a factor first. */
  enrols: boolean;
  user: User;
}

interface ChallengeRow extends UserRow {
  challenge_id: string;
  origin: ChallengeOrigin;
  enrols: boolean;
}

const INSERT = statement(
  'challenge_insert',
  `INSERT INTO second_factor_challenges (id, user_id, challenge_digest, origin, token_version, password_digest,
     factor_version, enrols, expires_at)
   SELECT $1, id, $3, $4, token_version, sha256(convert_to(password_hash, 'UTF8')), factor_version, $8,
     now() + make_interval(secs => $9)
   FROM users
   WHERE id = $2 AND token_version = $5 AND password_hash = $6 AND factor_version = $7
     AND is_active AND approval_status = 'APPROVED'
   RETURNING id`,
);

/** Compares the whole verified state: a challenge of a user who has changed is worth nothing. */
const FIND = statement(
  'challenge_find',
  `SELECT c.id AS challenge_id, c.origin, c.enrols, ${userColumns('u').join(', ')}
   FROM second_factor_challenges c JOIN users u ON u.id = c.user_id
   WHERE c.challenge_digest = $1 AND c.spent_at IS NULL AND c.expires_at > now() AND c.attempts < $2
     AND u.token_version = c.token_version AND u.factor_version = c.factor_version
     AND sha256(convert_to(u.password_hash, 'UTF8')) = c.password_digest
     AND u.is_active AND u.approval_status = 'APPROVED'`,
);
const SPEND = statement(
  'challenge_spend',
  'UPDATE second_factor_challenges SET spent_at = now() WHERE id = $1 AND spent_at IS NULL RETURNING id',
);
const FAIL = statement(
  'challenge_fail',
  `UPDATE second_factor_challenges SET attempts = attempts + 1, wrong_codes = wrong_codes + $2::integer WHERE id = $1`,
);
const WAIT = statement(
  'challenge_wait',
  `SELECT CASE WHEN sum(wrong_codes) >= $2 THEN
     ceil(extract(epoch FROM min(created_at) - now()) + $3)::integer ELSE 0 END AS seconds
   FROM second_factor_challenges
   WHERE user_id = $1 AND created_at > now() - make_interval(secs => $3) AND wrong_codes > 0`,
);

/**
 * Stores sign-ins that wait for a second factor. Within a transaction that has locked the row of the user, a challenge
 * that was found stays open until the transaction changes it, and counts are exact.
 */
export class ChallengeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Inserts a challenge if the user still has the verified state. @returns false when they have not. */
  async insert(challenge: NewChallenge, trx?: Transaction): Promise<boolean> {
    const values = [
      newId(),
      challenge.userId,
      challenge.digest,
      challenge.origin,
      challenge.tokenVersion,
      challenge.passwordHash,
      challenge.factorVersion,
      challenge.enrols,
      CHALLENGE_SECONDS,
    ];
    return (await this.#database.query(INSERT, values, trx)).length > 0;
  }

  /**
   * Returns a challenge; undefined if it is unknown, expired, spent, or had too many wrong proofs, and once anything has
   * changed that was verified: password, role, approval, activity, factors.
   */
  async find(digest: Buffer, trx?: Transaction): Promise<OpenChallenge | undefined> {
    const values = [digest, MAX_CHALLENGE_ATTEMPTS];
    const [row] = await this.#database.query<ChallengeRow>(FIND, values, trx);
    return row && { id: row.challenge_id, origin: row.origin, enrols: row.enrols, user: toUser(row) };
  }

  /** Spends a challenge. Of simultaneous calls one succeeds. */
  async spend(id: string, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(SPEND, [id], trx)).length > 0;
  }

  /** Counts a wrong proof; only codes count for the account, since recovery codes cannot be guessed. */
  async fail(id: string, isCode: boolean, trx: Transaction): Promise<void> {
    await this.#database.query(FAIL, [id, isCode ? 1 : 0], trx);
  }

  /** Removes the challenges of a user. */
  async removeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('second_factor_challenges').where({ user_id: userId }).delete();
  }

  /** Returns the seconds until the next code of the account may be tried; 0 if that is now. */
  async codeWait(userId: string, trx: Transaction): Promise<number> {
    const values = [userId, MAX_WRONG_CODES, WRONG_CODES_SECONDS];
    const [row] = await this.#database.query<{ seconds: number | null }>(WAIT, values, trx);
    return row?.seconds ?? 0;
  }
}
