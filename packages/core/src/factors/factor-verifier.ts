import type { ValueCipher } from '../encryption/value-cipher.js';
import type { FactorName } from '../kernel/observer.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { CodeGuesses } from './code-guesses.js';
import type { FactorKind, FactorUse } from './factor-kind.js';

/** A factor that has been used, for the audit log. */
export interface UsedFactor extends FactorUse {
  kind: FactorName;
}

export interface FactorVerifierDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly factorKinds: readonly FactorKind[];
  readonly cipher: ValueCipher;
  readonly guesses: CodeGuesses;
}

/** Verifies and spends the codes of second factors. The caller limits guesses of one session or sign-in. */
export class FactorVerifier {
  readonly #deps: FactorVerifierDeps;

  constructor(deps: FactorVerifierDeps) {
    this.#deps = deps;
  }

  /**
   * Uses a code, once: of an authenticator app (`totp`) during its time step of 30 seconds and one step before and after it, each
   * step once per user; or a recovery code (`recovery_code`), which forgets the wrong codes of the account.
   * It runs within `trx`, or in a transaction of its own, and locks the row of the user first: the transaction must not have
   * locked memberships or sessions yet. Wrong codes of a kind that can be guessed are counted for the account in that transaction:
   * commit it also if the code was wrong.
   * @returns undefined for a wrong code and for one that was used before.
   * @throws AuthError `service_unavailable` when what the code is compared with cannot be decrypted, `rate_limited` after 100 wrong
   * codes in a row.
   */
  use(name: FactorName, userId: string, code: string, trx?: Transaction): Promise<UsedFactor | undefined> {
    const kind = this.#kind(name);
    return trx
      ? this.#use(kind, userId, code, trx)
      : this.#deps.database.transaction((own) => this.#use(kind, userId, code, own));
  }

  async #use(
    kind: FactorKind,
    userId: string,
    code: string,
    trx: Transaction,
  ): Promise<UsedFactor | undefined> {
    const { users, guesses, cipher } = this.#deps;
    const user = (await users.lock([userId], trx)).get(userId);
    if (!user) return undefined;
    const compare = (): Promise<FactorUse | undefined> => kind.use(userId, code, cipher, trx);
    const use = kind.isGuessable ? await guesses.run(user, trx, compare) : await compare();
    if (!use) return undefined;
    // A code that cannot be guessed shows the owner, who is not kept waiting for the wrong codes of others.
    if (!kind.isGuessable) await guesses.forget(userId, trx);
    return { kind: kind.name, ...use };
  }

  #kind(name: FactorName): FactorKind {
    const kind = this.#deps.factorKinds.find((one) => one.name === name);
    if (!kind) throw new TypeError(`factors.verifier.use: there is no second factor "${name}"`);
    return kind;
  }
}
