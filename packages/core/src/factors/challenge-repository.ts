import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { PASSWORD_METHODS } from '../tokens/authentication-methods.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import type { User } from '../users/user.js';
import {
  CHALLENGE_SECONDS,
  MAX_CHALLENGE_ATTEMPTS,
  MAX_WRONG_CODES,
  WRONG_CODES_SECONDS,
} from './challenge.js';

/** The first factor of a sign-in. */
interface FirstProof {
  /** The way in. */
  origin: string;
  /** Methods of RFC 8176. */
  amr: readonly string[];
  /** Name of the way in, for the audit log. */
  method: string;
  /** The identity at another service that was the first factor, and the session there. */
  external?: { identityId: string; providerSessionId: string | null } | undefined;
}

/** A new challenge, with the verified state of the user. */
interface NewChallenge extends FirstProof {
  userId: string;
  digest: Buffer;
  tokenVersion: number;
  /** The hash that the password was verified against; null if the first factor was no password, then the address counts. */
  passwordHash: string | null;
  factorVersion: number;
  enrols: boolean;
}

/** A challenge that can still be answered, with its user. */
export interface OpenChallenge extends FirstProof {
  id: string;
  /** True if the user must set up a factor first. */
  enrols: boolean;
  user: User;
}

interface ChallengeRow extends UserRow {
  challenge_id: string;
  origin: string;
  first_amr: string[] | null;
  first_method: string | null;
  external_identity_id: string | null;
  provider_session_id: string | null;
  enrols: boolean;
}

const INSERT = statement(
  'challenge_insert',
  `INSERT INTO second_factor_challenges (id, user_id, challenge_digest, origin, token_version, password_digest,
     email_digest, factor_version, enrols, expires_at, amr, method, external_identity_id, provider_session_id)
   SELECT $1, id, $3, $4, token_version, sha256(convert_to($6::text, 'UTF8')),
     CASE WHEN $6 IS NULL THEN sha256(convert_to(email, 'UTF8')) END, factor_version, $8,
     now() + make_interval(secs => $9), $10::text[], $11, $12::uuid, $13
   FROM users
   WHERE id = $2 AND token_version = $5 AND ($6 IS NULL OR password_hash = $6) AND factor_version = $7
     AND is_active AND approval_status = 'APPROVED'
   RETURNING id`,
);

/** Compares the whole verified state: a challenge of a user who has changed is worth nothing. */
const FIND = statement(
  'challenge_find',
  `SELECT c.id AS challenge_id, c.origin, c.amr AS first_amr, c.method AS first_method, c.enrols,
     c.external_identity_id, c.provider_session_id, ${userColumns('u').join(', ')}
   FROM second_factor_challenges c JOIN users u ON u.id = c.user_id
   WHERE c.challenge_digest = $1 AND c.spent_at IS NULL AND c.expires_at > now() AND c.attempts < $2
     AND u.token_version = c.token_version AND u.factor_version = c.factor_version
     AND CASE WHEN c.password_digest IS NULL THEN sha256(convert_to(u.email, 'UTF8')) = c.email_digest
       ELSE sha256(convert_to(u.password_hash, 'UTF8')) = c.password_digest END
     AND (c.external_identity_id IS NULL
       OR EXISTS (SELECT FROM external_identities i WHERE i.id = c.external_identity_id AND i.user_id = c.user_id))
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
      challenge.amr,
      challenge.method,
      challenge.external?.identityId,
      challenge.external?.providerSessionId,
    ];
    return (await this.#database.query(INSERT, values, trx)).length > 0;
  }

  /**
   * Returns a challenge; undefined if it is unknown, expired, spent, or had too many wrong proofs, and once anything has
   * changed that was verified: the password, or the address after another first factor, role, approval, activity, factors.
   */
  async find(digest: Buffer, trx?: Transaction): Promise<OpenChallenge | undefined> {
    const values = [digest, MAX_CHALLENGE_ATTEMPTS];
    const [row] = await this.#database.query<ChallengeRow>(FIND, values, trx);
    if (!row) return undefined;
    const { challenge_id: id, origin, enrols, first_amr: amr, first_method: method } = row;
    const { external_identity_id: identityId, provider_session_id: providerSessionId } = row;
    return {
      id,
      origin,
      amr: amr ?? PASSWORD_METHODS,
      method: method ?? origin,
      external: identityId === null ? undefined : { identityId, providerSessionId },
      enrols,
      user: toUser(row),
    };
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
