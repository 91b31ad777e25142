import type { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import type { ChallengeRepository } from '../factors/challenge-repository.js';
import { removeAllFactors, type FactorRepositories } from '../factors/factor-removal.js';
import type { ExternalFlowRepository } from '../identities/external-flow-repository.js';
import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import type { SignInDeviceRepository } from '../sign-in-devices/sign-in-device-repository.js';
import type { Transaction } from '../storage/database.js';
import type { TrustedDeviceRepository } from '../trusted-devices/trusted-device-repository.js';
import type { DeletionLinkRepository } from '../users/deletion-link-repository.js';
import type { EmailChangeRepository, RemovedEmailChange } from '../users/email-change-repository.js';
import type { EmailVerificationRepository } from '../users/email-verification-repository.js';
import type { MailedSignInRepository } from '../users/mailed-sign-in-repository.js';
import type { PasswordResetRepository } from '../users/password-reset-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';

interface AccountRemovalDeps extends FactorRepositories {
  readonly users: UserRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly identities: ExternalIdentityRepository;
  readonly externalFlows: ExternalFlowRepository;
  readonly emailChanges: EmailChangeRepository;
  readonly challenges: ChallengeRepository;
  readonly signInDevices: SignInDeviceRepository;
  readonly trustedDevices: TrustedDeviceRepository;
  readonly resets: PasswordResetRepository;
  readonly mailedSignIns: MailedSignInRepository;
  readonly verifications: EmailVerificationRepository;
  readonly deletionLinks: DeletionLinkRepository;
}

/** The removed parts of an account. */
interface RemovedAccount {
  tombstone: User;
  counts: {
    memberships: number;
    apiKeys: number;
    identities: number;
    passkeys: number;
    totp: number;
    recoveryCodes: number;
  };
  /** The changes of the address, which name further addresses of the user. */
  emailChanges: RemovedEmailChange[];
}

/**
 * Replaces an account by its tombstone: the only way in which accounts end. The row of the user is never deleted, because rows
 * of the host app may refer to it. Sessions are left to the caller, who knows why they end.
 */
export class AccountRemoval {
  readonly #deps: AccountRemovalDeps;

  constructor(deps: AccountRemovalDeps) {
    this.#deps = deps;
  }

  /** Makes requests that write about the user wait; they then find the tombstone. The transaction has locked the user's row. */
  async fence(userId: string, trx: Transaction): Promise<void> {
    await this.#deps.users.fenceErasure(userId, trx);
  }

  /** Overwrites the row, and removes memberships and everything that signs the user in. Runs after `fence`. */
  async remove(userId: string, trx: Transaction): Promise<RemovedAccount> {
    const tombstone = await this.#deps.users.erase(userId, trx);
    if (!tombstone) throw new TypeError('The user was not locked.');
    const memberships = await this.#deps.membershipWrites.removeAll(userId, trx);
    const apiKeys = await this.#deps.apiKeys.removeAll(userId, trx);
    const identities = await this.#deps.identities.removeAll(userId, trx);
    const emailChanges = await this.#deps.emailChanges.removeAll(userId, trx);
    const signIn = await this.#removeSignIn(userId, trx);
    return { tombstone, counts: { memberships, apiKeys, identities, ...signIn }, emailChanges };
  }

  async #removeSignIn(userId: string, trx: Transaction) {
    await this.#deps.challenges.removeAll(userId, trx);
    await this.#deps.externalFlows.removeAll(userId, trx);
    await this.#deps.resets.removeAll(userId, trx);
    await this.#deps.mailedSignIns.removeAll(userId, trx);
    await this.#deps.verifications.removeAll(userId, trx);
    await this.#deps.deletionLinks.removeAll(userId, trx);
    await this.#deps.signInDevices.removeAll(userId, trx);
    await this.#deps.trustedDevices.removeAll(userId, trx);
    return removeAllFactors(this.#deps, userId, trx);
  }
}
