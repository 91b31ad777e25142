import { AuthError } from '../kernel/auth-error.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';

/** Wrong codes in a row after which no code is compared (NIST SP 800-63B-4 section 3.2.2). */
const MAX_WRONG_CODES_IN_A_ROW = 100;
/** Returns whether codes of an account with so many wrong ones in a row are rejected without a comparison. */
export const areCodesBlocked = (wrongCodes: number): boolean => wrongCodes >= MAX_WRONG_CODES_IN_A_ROW;

/** Waiting does not help; clients that retry anyway do so rarely. */
const RETRY_AFTER_SECONDS = 3600;

/**
 * Limits guesses at the codes of an account over its whole life, wherever they are sent: at sign-in, for a step-up, or to confirm an
 * app. Everything runs in a transaction that has locked the row of the user and commits also if the code was wrong.
 */
export class CodeGuesses {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly users: UserRepository;
    readonly notices: SecurityNotices;
  }) {
    this.#deps = deps;
  }

  /**
   * Runs a comparison and counts its result. The user is mailed about wrong codes from the fifth in a row on, at most once a day.
   * @param compare returns undefined for a wrong code.
   * @throws AuthError `rate_limited` after 100 wrong codes in a row, without a comparison.
   */
  async run<T>(
    user: User,
    trx: Transaction,
    compare: () => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (areCodesBlocked(await this.#deps.users.wrongCodesOf(user.id, trx))) throw blocked();
    const result = await compare();
    if (result === undefined) await this.#count(user, trx);
    else await this.forget(user.id, trx);
    return result;
  }

  /** Forgets the wrong codes of a user who has shown to be the owner: by another factor, or with a new password. */
  forget(userId: string, trx: Transaction): Promise<void> {
    return this.#deps.users.clearWrongCodes(userId, trx);
  }

  async #count({ id, email, fullName }: User, trx: Transaction): Promise<void> {
    const { count, isNoticed } = await this.#deps.users.countWrongCode(id, trx);
    if (!isNoticed) return;
    const payload = { fullName, count };
    await this.#deps.notices.enqueue(trx, { kind: 'wrong_codes', recipient: email, payload });
  }
}

const blocked = (): AuthError =>
  new AuthError(
    'rate_limited',
    'Codes of this account are not accepted after too many wrong ones. Use a recovery code or a passkey, or reset the password.',
    { reason: 'codes_blocked', retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
