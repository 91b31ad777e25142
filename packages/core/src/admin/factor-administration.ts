import type { AuditRepository } from '../audit/audit-repository.js';
import type { SecretColumn } from '../encryption/reencryption.js';
import { ValueCipher } from '../encryption/value-cipher.js';
import { areCodesBlocked } from '../factors/code-guesses.js';
import { reencryptSecrets, type ReencryptedSecrets } from '../factors/factor-reencryption.js';
import { removeAllFactors, type FactorRepositories } from '../factors/factor-removal.js';
import {
  resetFactorsInput,
  toFactorView,
  type ResetFactors,
  type UserFactors,
} from '../factors/factor-schema.js';
import type { FactorStateQueries } from '../factors/factor-state-queries.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignInDeviceRepository } from '../sign-in-devices/sign-in-device-repository.js';
import type { Database, Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { TrustedDeviceRepository } from '../trusted-devices/trusted-device-repository.js';
import {
  toTrustedDeviceView,
  type RemovedTrustedDevices,
  type TrustedDeviceView,
} from '../trusted-devices/trusted-device-schema.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased, type User } from '../users/user.js';
import { actorOf, lockForAction, type Administrator } from './administrator.js';
import type { StaffStepUp } from './staff-step-up.js';

/** The passkeys of a user, which count as second factors. */
type PasskeyRemoval = FactorRepositories['passkeys'] & {
  remove(id: string, userId: string, trx: Transaction): Promise<{ name: string } | undefined>;
};

interface FactorAdministrationDeps extends FactorRepositories {
  readonly database: Database;
  readonly secretColumns: readonly SecretColumn[];
  readonly users: UserRepository;
  readonly passkeys: PasskeyRemoval;
  readonly signInDevices: SignInDeviceRepository;
  readonly factorStates: FactorStateQueries;
  readonly sessionRevoker: SessionRevoker;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly trustedDevices: TrustedDeviceRepository;
  readonly staffStepUp: StaffStepUp;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/** Manages the second factors of other users. Works while second factors are off, too, and needs no key. */
export class FactorAdministration {
  readonly #deps: FactorAdministrationDeps;

  constructor(deps: FactorAdministrationDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the second factors of a user, newest first, the numbers of unused recovery codes and of passkeys, and whether codes are
   * blocked after too many wrong ones.
   * @throws AuthError `not_found`
   */
  async ofUser(userId: string): Promise<UserFactors> {
    userId = checkId(userId);
    const [user, factors, { counts, wrongCodes }] = await Promise.all([
      this.#deps.users.findById(userId),
      this.#deps.totp.list(userId),
      this.#deps.factorStates.read(userId),
    ]);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    return {
      factors: factors.map(toFactorView),
      recoveryCodesLeft: counts.recovery_code,
      passkeys: counts.passkey,
      codesBlocked: areCodesBlocked(wrongCodes),
    };
  }

  /** Returns the number of authenticator apps, and of the users who have them. @param atMost counts no further. */
  count(atMost?: number): Promise<{ factors: number; users: number }> {
    return this.#deps.factorStates.countEnrolled(atMost);
  }

  /**
   * Encrypts every secret in the database by the first of these keys, such as those of authenticator apps, beside running
   * services that have all of them. Recovery codes of earlier versions, which have no key, get one.
   * @throws TypeError without a key; AuthError `service_unavailable`.
   */
  reencrypt(keys: readonly Buffer[], onProgress?: (done: number) => void): Promise<ReencryptedSecrets> {
    return reencryptSecrets(this.#deps, new ValueCipher(keys), onProgress);
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
    return this.#deps.database.transaction(async (trx) => {
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
      return { status: 'ok', removed, revoked };
    });
  }

  /**
   * Removes one passkey of a user and notifies them by mail; the sessions that it created stay active. The rights are
   * those of `reset`.
   * @throws AuthError as `reset`, and `not_found` for a passkey that is not one of the user.
   */
  async removePasskey(
    administrator: Administrator,
    userId: string,
    passkeyId: string,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    userId = checkId(userId);
    passkeyId = checkId(passkeyId, 'passkeyId');
    await this.#deps.database.transaction(async (trx) => {
      const { email: recipient, fullName } = await this.#lockTarget(administrator, userId, trx);
      await this.#deps.users.raiseFactorVersion(userId, trx);
      const passkey = await this.#deps.passkeys.remove(passkeyId, userId, trx);
      if (!passkey) throw AuthError.notFound('The passkey', 'passkey_not_found');
      const actor = actorOf(administrator);
      const ended = { userId, reason: 'passkey_removed', actor, client };
      await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
      const about = { actor, subjectUserId: userId, client, details: { passkeyId } };
      await this.#deps.audit.insert({ event: 'passkey_removed', outcome: 'success', ...about }, trx);
      const payload = { fullName, passkeyName: passkey.name };
      await this.#deps.outbox.enqueue(trx, { kind: 'passkey_removed', recipient, payload });
    });
    return { status: 'ok' };
  }

  /** Returns the trusted devices of a user, newest first. @throws AuthError `not_found` */
  async trustedDevicesOf(userId: string): Promise<TrustedDeviceView[]> {
    userId = checkId(userId);
    const [user, devices] = await Promise.all([
      this.#deps.users.findById(userId),
      this.#deps.trustedDevices.list(userId),
    ]);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    return devices.map(toTrustedDeviceView);
  }

  /**
   * Removes the trusted devices of a user: the next sign-in on each of them asks for a second factor. Sessions stay active. It needs the
   * rights that end the sessions of the user.
   * @throws AuthError `not_found`, `forbidden`.
   */
  async removeTrustedDevices(
    administrator: Administrator,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<RemovedTrustedDevices> {
    userId = checkId(userId);
    const removed = await this.#deps.database.transaction(async (trx) => {
      await lockForAction(this.#deps.users, { administrator, action: 'revoke-sessions', userId }, trx);
      const actor = actorOf(administrator);
      return this.#deps.trustedDeviceRemoval.removeAllWithin(
        { userId, reason: 'removed', actor, client },
        trx,
      );
    });
    return { status: 'ok', removed };
  }

  async #removeAll(userId: string, trx: Transaction): Promise<ResetFactors['removed']> {
    await this.#deps.users.raiseFactorVersion(userId, trx);
    await this.#deps.signInDevices.forgetKnown(userId, trx);
    await this.#deps.users.clearWrongCodes(userId, trx);
    return removeAllFactors(this.#deps, userId, trx);
  }

  /** Locks both rows, and judges the administrator by the role in theirs. */
  async #lockTarget(administrator: Administrator, userId: string, trx: Transaction): Promise<User> {
    assertHoldsScope(actorOf(administrator), 'users:privileged');
    const wanted = { administrator, action: 'reset-factors', userId } as const;
    const target = await lockForAction(this.#deps.users, wanted, trx);
    this.#deps.staffStepUp.assertRecent(administrator);
    assertNotErased(target);
    return target;
  }
}
