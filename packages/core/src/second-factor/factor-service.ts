import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { ValueCipher } from '../encryption/value-cipher.js';
import {
  beginTotpInput,
  confirmTotpInput,
  toFactorView,
  type BeginTotpInput,
  type ConfirmedFactor,
  type OwnFactors,
  type RenewedRecoveryCodes,
  type TotpEnrolment,
} from '../factors/factor-schema.js';
import type { FactorStateQueries } from '../factors/factor-state-queries.js';
import { replaceRecoveryCodes } from '../factors/kinds/recovery-code/recovery-code-kind.js';
import type { RecoveryCodeRepository } from '../factors/kinds/recovery-code/recovery-code-repository.js';
import { factorNotFound, type TotpEnroller } from '../factors/kinds/totp/totp-enroller.js';
import type { TotpRepository } from '../factors/kinds/totp/totp-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { FirstFactor } from '../sessions/first-factor.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { UserRepository } from '../users/user-repository.js';
import type { FactorPolicy } from './factor-policy.js';

export interface FactorServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly cipher: ValueCipher;
  readonly factorStates: FactorStateQueries;
  readonly enroller: TotpEnroller;
  readonly factorPolicy: FactorPolicy;
  /** Counts the confirmations of a session. */
  readonly confirmations: {
    run<T>(
      confirmation: { caller: SignedInUser; client: ClientInfo; event: AuditEvent['event'] },
      check: () => Promise<T | undefined>,
    ): Promise<T | undefined>;
  };
  readonly credentialStepUp: CredentialStepUp;
  readonly firstFactor: FirstFactor;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly notices: SecurityNotices;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/**
 * Manages the second factors of the caller. A change requires a sign-in of the last 15 minutes, with a second factor
 * where the caller has one: a stolen password or access token is not sufficient to replace it. Every change is `forbidden` while
 * an actor acts for the user.
 */
export class FactorService {
  readonly #deps: FactorServiceDeps;

  constructor(deps: FactorServiceDeps) {
    this.#deps = deps;
  }

  /** Returns the caller's factors, newest first, and the number of unused recovery codes. */
  async list({ userId, user }: SignedInUser): Promise<OwnFactors> {
    const [factors, recoveryCodesLeft] = await Promise.all([
      this.#deps.totp.list(userId),
      this.#deps.recoveryCodes.countUnused(userId),
    ]);
    const isRequired = this.#deps.factorPolicy.isRequiredOf(user);
    return { factors: factors.map(toFactorView), recoveryCodesLeft, isRequired };
  }

  /**
   * Begins to add an authenticator app. It is used from its confirmation on, which must follow within 10 minutes.
   * @throws AuthError `validation_error`, `reauthentication_required`, `conflict` when the caller has the maximum number
   * of factors, `session_revoked`.
   */
  async begin(caller: SignedInUser, input: BeginTotpInput = {}): Promise<TotpEnrolment> {
    const { name } = checkInput(beginTotpInput, input);
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    return this.#deps.database.transaction(async (trx) => {
      const user = await this.#deps.credentialStepUp.lock(caller, 'sign-in', trx);
      const enrolling = { user, begunBy: caller.sessionId, client: unknownClient };
      return this.#deps.enroller.begin(enrolling, name, trx);
    });
  }

  /**
   * Adds an authenticator app by a code of it. With the first one come recovery codes. The user is notified by mail. If it is the
   * first factor of the user, their other sessions with one factor end.
   * Wrong codes count for the caller's session.
   * @throws AuthError `validation_error`, `unauthorized` for a wrong code, `not_found` for an app that this session did
   * not begin to add or that has expired, `reauthentication_required`, `conflict`, `rate_limited`, `session_revoked`,
   * `service_unavailable`.
   */
  async confirm(
    caller: SignedInUser,
    id: string,
    code: string,
    client: ClientInfo = unknownClient,
  ): Promise<ConfirmedFactor> {
    id = checkId(id);
    ({ code } = checkInput(confirmTotpInput, { code }));
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    const confirmation = { caller, client, event: 'factor_confirmation' } as const;
    const confirmed = await this.#deps.confirmations.run(confirmation, () =>
      this.#deps.database.transaction(async (trx) => {
        const user = await this.#deps.credentialStepUp.lock(caller, 'sign-in', trx);
        const { userId, sessionId } = caller;
        return this.#deps.firstFactor.adding({ userId, sessionId, client }, trx, () =>
          this.#deps.enroller.confirm({ user, begunBy: sessionId, client, sessionId }, { id, code }, trx),
        );
      }),
    );
    if (!confirmed) throw AuthError.unauthorized('The code is wrong or was used before.', 'code_wrong');
    return confirmed;
  }

  /**
   * Removes a factor and notifies the user by mail; recovery codes go with the last one. Sessions stay active.
   * @throws AuthError `not_found`, `reauthentication_required`, `session_revoked`.
   */
  async remove(caller: SignedInUser, id: string, client: ClientInfo = unknownClient): Promise<StatusOk> {
    id = checkId(id);
    await this.#deps.credentialStepUp.assert(caller, 'nothing');
    await this.#deps.database.transaction(async (trx) => {
      const user = await this.#deps.credentialStepUp.lock(caller, 'nothing', trx);
      const state = await this.#deps.factorStates.read(user.id, trx);
      await this.#deps.users.raiseFactorVersion(user.id, trx);
      const factor = await this.#deps.totp.remove(id, user.id, trx);
      if (!factor) throw factorNotFound();
      if (state.counts.totp === 1) await this.#deps.recoveryCodes.removeAll(user.id, trx);
      await this.#record(caller, client, { event: 'factor_removed', details: { factorId: id } }, trx);
      await this.#deps.notices.enqueue(trx, {
        kind: 'factor_removed',
        recipient: user.email,
        payload: { fullName: user.fullName, factorName: factor.name },
      });
    });
    return { status: 'ok' };
  }

  /**
   * Creates new recovery codes; those before no longer work.
   * @throws AuthError `conflict` without an authenticator app, `reauthentication_required`, `session_revoked`.
   */
  async renewRecoveryCodes(
    caller: SignedInUser,
    client: ClientInfo = unknownClient,
  ): Promise<RenewedRecoveryCodes> {
    await this.#deps.credentialStepUp.assert(caller, 'nothing');
    return this.#deps.database.transaction(async (trx) => {
      const user = await this.#deps.credentialStepUp.lock(caller, 'nothing', trx);
      const state = await this.#deps.factorStates.read(user.id, trx);
      if (state.counts.totp === 0) {
        throw AuthError.conflict(
          'Recovery codes replace an authenticator app. Add one first.',
          'factor_missing',
        );
      }
      await this.#deps.users.raiseFactorVersion(user.id, trx);
      const recoveryCodes = await replaceRecoveryCodes(this.#deps, user.id, trx);
      await this.#record(caller, client, { event: 'recovery_codes_renewed' }, trx);
      return { recoveryCodes };
    });
  }

  /** Records a change of the factors, which ends the trust in devices. */
  async #record(
    { userId, sessionId }: SignedInUser,
    client: ClientInfo,
    what: Pick<AuditEvent, 'event' | 'details'>,
    trx: Transaction,
  ): Promise<void> {
    const actor = { kind: 'user' as const, userId };
    const ended = { userId, reason: what.event, actor, client };
    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
    await this.#deps.audit.insert(
      { ...what, outcome: 'success', actor, subjectUserId: userId, sessionId, client },
      trx,
    );
  }
}
