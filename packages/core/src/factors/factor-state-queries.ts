import type { FactorName } from '../kernel/observer.js';
import { statement, type Database, type Transaction } from '../storage/database.js';

/** The factors of a user besides the password, read by one query. */
export interface FactorState {
  /** The version that this state belongs to. */
  factorVersion: number;
  /** Factors that can be used: confirmed apps, unused recovery codes, passkeys. */
  counts: Record<FactorName | 'passkey', number>;
  /** Wrong codes since the last right one. */
  wrongCodes: number;
}

const READ = statement(
  'factor_state',
  `SELECT u.factor_version AS "factorVersion", u.wrong_codes AS "wrongCodes",
     json_build_object(
       'totp', (SELECT count(*) FROM totp_factors WHERE user_id = u.id AND confirmed_at IS NOT NULL),
       'recovery_code', (SELECT count(*) FROM recovery_codes WHERE user_id = u.id AND used_at IS NULL),
       'passkey', (SELECT count(*) FROM passkey_credentials WHERE user_id = u.id)
     ) AS counts
   FROM users u WHERE u.id = $1`,
);
const COUNT_ENROLLED = statement(
  'factor_count_enrolled',
  `SELECT count(*)::integer AS factors, count(DISTINCT user_id)::integer AS users
   FROM (SELECT user_id FROM totp_factors WHERE confirmed_at IS NOT NULL LIMIT $1) AS counted`,
);

const NO_FACTORS: FactorState = {
  factorVersion: -1,
  counts: { totp: 0, recovery_code: 0, passkey: 0 },
  wrongCodes: 0,
};

/** Reads factors of all kinds. */
export class FactorStateQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the factors of a user; none for an unknown user. */
  async read(userId: string, trx?: Transaction): Promise<FactorState> {
    const [state] = await this.#database.query<FactorState>(READ, [userId], trx);
    return state ?? NO_FACTORS;
  }

  /** Returns the number of confirmed authenticator apps, and of the users who have them. @param atMost counts no further. */
  async countEnrolled(atMost?: number): Promise<{ factors: number; users: number }> {
    const [row] = await this.#database.query<{ factors: number; users: number }>(COUNT_ENROLLED, [atMost]);
    return row ?? { factors: 0, users: 0 };
  }
}
