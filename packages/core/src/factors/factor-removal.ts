import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import type { RecoveryCodeRepository } from './kinds/recovery-code/recovery-code-repository.js';
import type { TotpRepository } from './kinds/totp/totp-repository.js';

/** The owner of the factors, and the address that is notified. */
type Owner = Pick<User, 'id' | 'email' | 'fullName'>;

/** The repositories of all kinds of second factors. */
export interface FactorRepositories {
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly passkeys: { removeAll(userId: string, trx: Transaction): Promise<number> };
}

/** Removes every second factor of a user, within a transaction that has locked the row of the user. @returns their numbers. */
export const removeAllFactors = async (
  { totp, recoveryCodes, passkeys }: FactorRepositories,
  userId: string,
  trx: Transaction,
): Promise<{ totp: number; recoveryCodes: number; passkeys: number }> => ({
  totp: await totp.removeAll(userId, trx),
  recoveryCodes: await recoveryCodes.removeAll(userId, trx),
  passkeys: await passkeys.removeAll(userId, trx),
});

/** Numbers of what was removed. */
interface RemovedFactors {
  apps: number;
  passkeys: number;
  identities: number;
}

interface FactorRemovalDeps {
  readonly users: UserRepository;
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly passkeys: {
    removeSince(userId: string, since: Date, trx: Transaction): Promise<{ name: string }[]>;
  };
  readonly identities: ExternalIdentityRepository;
  readonly notices: SecurityNotices;
  readonly outbox: Outbox;
}

const ALWAYS = new Date(0);

/**
 * Removes second factors that another person may have set up, within a transaction that has locked the row of the user. Each is
 * mailed to the user; wake the outbox after the commit.
 */
export class FactorRemoval {
  readonly #deps: FactorRemovalDeps;

  constructor(deps: FactorRemovalDeps) {
    this.#deps = deps;
  }

  /**
   * Removes the authenticator apps that were added since a time, or all of them, and the recovery codes of that time or of no app.
   * @returns the number of removed apps.
   */
  async removeApps({ id, email, fullName }: Owner, trx: Transaction, since: Date = ALWAYS): Promise<number> {
    await this.#deps.users.raiseFactorVersion(id, trx);
    const names = await this.#deps.totp.removeSince(id, since, trx);
    const isLast = (await this.#deps.totp.list(id, trx)).length === 0;
    await this.#deps.recoveryCodes.removeSince(id, isLast ? ALWAYS : since, trx);
    for (const factorName of names) {
      const payload = { fullName, factorName };
      await this.#deps.notices.enqueue(trx, { kind: 'factor_removed', recipient: email, payload });
    }
    return names.length;
  }

  /** Removes the factors of all kinds and linked identities. @returns the numbers of removed ones. */
  removeAll(owner: Owner, trx: Transaction): Promise<RemovedFactors> {
    return this.removeSince(owner, ALWAYS, trx);
  }

  /**
   * Removes the factors of all kinds that were added since a time, and the identities that were linked since and do not prove the
   * mailbox; older ones stay.
   * @returns the numbers of removed ones.
   */
  async removeSince(owner: Owner, since: Date, trx: Transaction): Promise<RemovedFactors> {
    const apps = await this.removeApps(owner, trx, since);
    const passkeys = await this.#deps.passkeys.removeSince(owner.id, since, trx);
    for (const { name: passkeyName } of passkeys) {
      const payload = { fullName: owner.fullName, passkeyName };
      await this.#deps.outbox.enqueue(trx, { kind: 'passkey_removed', recipient: owner.email, payload });
    }
    const identities = await this.removeIdentities(owner, trx, since);
    return { apps, passkeys: passkeys.length, identities };
  }

  /** Removes the identities that another person may have linked since a time, or ever. @returns their number. */
  async removeIdentities(
    { id, email, fullName }: Owner,
    trx: Transaction,
    since: Date = ALWAYS,
  ): Promise<number> {
    const removed = await this.#deps.identities.removeDistrusted(id, since, trx);
    for (const { connectionId } of removed) {
      const payload = { fullName, connectionName: connectionId };
      await this.#deps.notices.enqueue(trx, { kind: 'identity_unlinked', recipient: email, payload });
    }
    return removed.length;
  }
}
