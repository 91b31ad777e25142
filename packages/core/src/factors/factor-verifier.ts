import type { ValueCipher } from '../encryption/value-cipher.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import type { CodeGuesses } from './code-guesses.js';
import { keyedDigest, placeOfRecoveryCodes } from './recovery-code-key.js';
import type { RecoveryCodeRepository } from './recovery-code-repository.js';
import { digestOfRecoveryCode } from './recovery-code.js';
import { timeStepOf } from './totp-codes.js';
import { placeOfSecret } from './totp-factor.js';
import type { StoredSecret, TotpRepository } from './totp-repository.js';
import { typedCode } from './typed-code.js';

/** A factor that has been used, for the audit log. */
export interface UsedFactor {
  kind: 'totp' | 'recovery_code';
  /** The id of the authenticator app. */
  factorId?: string;
  /** The recovery codes that are left after this use. */
  codesLeft?: number;
}

interface FactorVerifierDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly cipher: ValueCipher;
  readonly guesses: CodeGuesses;
}

/**
 * Verifies and spends second factors. Each method runs within `trx`, or in a transaction of its own, and locks the row
 * of the user first: the transaction must not have locked memberships or sessions yet. Wrong codes are counted for the account, in
 * that transaction: commit it also if the code was wrong. The caller limits guesses of one session or sign-in.
 */
export class FactorVerifier {
  readonly #deps: FactorVerifierDeps;

  constructor(deps: FactorVerifierDeps) {
    this.#deps = deps;
  }

  /**
   * Uses the code of an authenticator app. A code is accepted during its time step of 30 seconds and one step before
   * and after it, and each step once per user.
   * @returns undefined for a wrong code and for one that was used before.
   * @throws AuthError `service_unavailable` when no secret of the user can be decrypted, `rate_limited` after 100 wrong codes in
   * a row.
   */
  useCode(userId: string, code: string, trx?: Transaction): Promise<UsedFactor | undefined> {
    return this.#locked(userId, trx, (user, inner) =>
      this.#deps.guesses.run(user, inner, async () => {
        const secrets = await this.#deps.totp.secretsOf(userId, inner);
        const match = this.#match(userId, secrets, typedCode(code));
        if (!match || !(await this.#deps.totp.use(match.id, userId, match.step, inner))) return undefined;
        return { kind: 'totp' as const, factorId: match.id };
      }),
    );
  }

  /**
   * Uses a recovery code, once, and forgets the wrong codes of the account.
   * @returns undefined for a code that is wrong or was used before.
   * @throws AuthError `service_unavailable` when the code may be one whose key cannot be decrypted.
   */
  useRecoveryCode(userId: string, code: string, trx?: Transaction): Promise<UsedFactor | undefined> {
    return this.#locked(userId, trx, async (_user, inner) => {
      const digest = digestOfRecoveryCode(code);
      if (!digest || !(await this.#useDigest(userId, digest, inner))) return undefined;
      await this.#deps.guesses.forget(userId, inner);
      return { kind: 'recovery_code', codesLeft: await this.#deps.recoveryCodes.countUnused(userId, inner) };
    });
  }

  /**
   * Returns the time step of a code for the secret of an enrolment, of a user whose row the transaction has locked; undefined for a
   * wrong code and a step that was used before.
   * @throws AuthError `service_unavailable` when the secret cannot be decrypted, `rate_limited` after 100 wrong codes in a row.
   */
  stepOf(user: User, stored: StoredSecret, code: string, trx: Transaction): Promise<number | undefined> {
    return this.#deps.guesses.run(user, trx, () => this.#match(user.id, [stored], typedCode(code))?.step);
  }

  /** Spends the code with this digest. A code that is not found may be one of a set whose key cannot be decrypted: it is not wrong. */
  async #useDigest(userId: string, digest: Buffer, trx: Transaction): Promise<boolean> {
    const digests: Buffer[] = [];
    const failures: unknown[] = [];
    for (const key of await this.#deps.recoveryCodes.keysOf(userId, trx)) {
      try {
        digests.push(
          key ? keyedDigest(this.#deps.cipher.decrypt(key, placeOfRecoveryCodes(userId)), digest) : digest,
        );
      } catch (error) {
        failures.push(error);
      }
    }
    if (await this.#deps.recoveryCodes.use(userId, digests, trx)) return true;
    if (failures.length > 0) throw failures[0];
    return false;
  }

  /**
   * A secret that cannot be decrypted is skipped while another one can: the code may be of that one, and a wrong one
   * must not pass for an outage, which counts as no guess.
   */
  #match(
    userId: string,
    secrets: readonly StoredSecret[],
    code: string,
  ): { id: string; step: number } | undefined {
    const failures: unknown[] = [];
    for (const { id, secret, lastStep, now } of secrets) {
      try {
        const step = timeStepOf(this.#deps.cipher.decrypt(secret, placeOfSecret(userId, id)), code, now);
        if (step !== undefined && (lastStep === null || step > lastStep)) return { id, step };
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0 && failures.length === secrets.length) throw failures[0];
    return undefined;
  }

  async #locked<T>(
    userId: string,
    trx: Transaction | undefined,
    work: (user: User, trx: Transaction) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const run = async (inner: Transaction): Promise<T | undefined> => {
      const user = (await this.#deps.users.lock([userId], inner)).get(userId);
      return user && work(user, inner);
    };
    return trx ? run(trx) : this.#deps.database.transaction(run);
  }
}
