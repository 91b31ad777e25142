import { ValueCipher } from '../encryption/value-cipher.js';
import { reencryptFactors, type ReencryptedFactors } from '../factors/factor-reencryption.js';
import { resetFactorsInput, type ResetFactors } from '../factors/factor-schema.js';
import type { FactorStateQueries } from '../factors/factor-state-queries.js';
import type { RecoveryCodeRepository } from '../factors/recovery-code-repository.js';
import type { TotpRepository } from '../factors/totp-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { SignInDeviceRepository } from '../sign-in-devices/sign-in-device-repository.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMayActOn } from '../users/authority.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased, type User } from '../users/user.js';
import { actorOf, lockedAdministrator, type Administrator } from './administrator.js';
import type { StaffStepUp } from './staff-step-up.js';

/** The passkeys of a user, which count as second factors. */
interface PasskeyRemoval {
  removeAll(userId: string, trx: Transaction): Promise<number>;
}

interface FactorAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly passkeys: PasskeyRemoval;
  readonly signInDevices: SignInDeviceRepository;
  readonly factorStates: FactorStateQueries;
  readonly sessionRevoker: SessionRevoker;
  readonly staffStepUp: StaffStepUp;
  readonly outbox: Outbox;
}

/** Manages the second factors of other users. Works while second factors are off, too, and needs no key. */
export class FactorAdministration {
  readonly #deps: FactorAdministrationDeps;

  constructor(deps: FactorAdministrationDeps) {
    this.#deps = deps;
  }

  /** Returns the number of authenticator apps, and of the users who have them. */
  count(): Promise<{ factors: number; users: number }> {
    return this.#deps.factorStates.countEnrolled();
  }

  /**
   * Encrypts the secrets of all authenticator apps by the first of these keys, beside running services that have all of
   * them.
   * @throws TypeError without a key; AuthError `service_unavailable`.
   */
  reencrypt(keys: readonly Buffer[], onProgress?: (done: number) => void): Promise<ReencryptedFactors> {
    return reencryptFactors(this.#deps.totp, new ValueCipher(keys), onProgress);
  }

  /**
   * Removes every second factor of a user who has lost theirs, passkeys included, ends all sessions and notifies the
   * user by mail. The caller has identified the person.
   * @param reason for the audit log, at most 500 characters.
   * @throws AuthError `validation_error`, `not_found`, `forbidden` for anyone but superadmins, operators and machines with
   * the scope `users:privileged`, and for the user themselves; `conflict` for an erased user; `reauthentication_required`
   * for a superadmin whose sign-in is too old.
   */
  async reset(
    administrator: Administrator,
    userId: string,
    reason: string,
    client: ClientInfo = unknownClient,
  ): Promise<ResetFactors> {
    userId = checkId(userId);
    ({ reason } = checkInput(resetFactorsInput, { reason }));
    const { removed, revoked } = await this.#deps.database.transaction(async (trx) => {
      const user = await this.#lockTarget(administrator, userId, trx);
      const removed = await this.#removeAll(userId, trx);
      const revoked = await this.#deps.sessionRevoker.revokeAllWithin(
        {
          userId,
          reason: 'factors_reset',
          event: 'factors_reset',
          actor: actorOf(administrator),
          client,
          details: { statedReason: reason, removed },
        },
        trx,
      );
      const payload = { fullName: user.fullName };
      await this.#deps.outbox.enqueue(trx, { kind: 'factors_reset', recipient: user.email, payload });
      return { removed, revoked };
    });
    await this.#deps.sessionRevoker.markRevoked(revoked);
    this.#deps.outbox.wake();
    return { status: 'ok', removed, revoked: revoked.length };
  }

  async #removeAll(userId: string, trx: Transaction): Promise<ResetFactors['removed']> {
    await this.#deps.users.raiseFactorVersion(userId, trx);
    await this.#deps.signInDevices.forgetAll(userId, trx);
    return {
      totp: await this.#deps.totp.removeAll(userId, trx),
      recoveryCodes: await this.#deps.recoveryCodes.removeAll(userId, trx),
      passkeys: await this.#deps.passkeys.removeAll(userId, trx),
    };
  }

  /** Locks both rows, and judges the administrator by the role in theirs. */
  async #lockTarget(administrator: Administrator, userId: string, trx: Transaction): Promise<User> {
    const isPerson = administrator.kind === 'user';
    const ids = isPerson ? [userId, administrator.userId] : [userId];
    const locked = await this.#deps.users.lock(ids, trx);
    const target = locked.get(userId);
    if (!isPerson) assertHoldsScope(administrator, 'users:privileged');
    if (!target) throw AuthError.notFound('The user', 'user_not_found');
    if (isPerson) {
      assertMayActOn(lockedAdministrator(administrator, locked), 'reset-factors', target);
      this.#deps.staffStepUp.assertRecent(administrator);
    }
    assertNotErased(target);
    return target;
  }
}
