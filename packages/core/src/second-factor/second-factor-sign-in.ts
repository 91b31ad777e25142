import type { AuditRepository } from '../audit/audit-repository.js';
import type { OpenChallenge } from '../factors/challenge-repository.js';
import type { FactorKind } from '../factors/factor-kind.js';
import {
  confirmAtSignInInput,
  enrolAtSignInInput,
  secondFactorInput,
  type ConfirmAtSignInInput,
  type EnrolAtSignInInput,
  type SecondFactorInput,
  type TotpEnrolment,
} from '../factors/factor-schema.js';
import type { FactorVerifier, UsedFactor } from '../factors/factor-verifier.js';
import type { TotpEnroller } from '../factors/kinds/totp/totp-enroller.js';
import type { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer, SecondFactorKind } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import { fieldError } from '../kernel/validation-error.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import { deviceNameOf } from '../sessions/device-name.js';
import type { FirstFactor } from '../sessions/first-factor.js';
import type { TokenPair } from '../sessions/session-schema.js';
import type { Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { TrustedDeviceService } from '../trusted-devices/trusted-device-service.js';
import type { KeptDevices } from '../trusted-devices/trusted-device.js';
import type { User } from '../users/user.js';
import { challengeInvalid, type ChallengedSignIn } from './challenged-sign-in.js';
import type { EnrolledTokens } from './enrolled-tokens.js';
import type { FactorPolicy } from './factor-policy.js';

export interface SecondFactorSignInDeps {
  readonly challengedSignIn: ChallengedSignIn;
  readonly factorKinds: readonly FactorKind[];
  readonly factorVerifier: FactorVerifier;
  readonly enroller: TotpEnroller;
  readonly firstFactor: FirstFactor;
  readonly factorPolicy: FactorPolicy;
  /** Undefined while no device can be trusted. */
  readonly trustedDeviceService: TrustedDeviceService | undefined;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly notices: SecurityNotices;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

/** Completes sign-ins that require a second factor, by one that the user has or by a new one. */
export class SecondFactorSignIn {
  readonly #deps: SecondFactorSignInDeps;

  constructor(deps: SecondFactorSignInDeps) {
    this.#deps = deps;
  }

  /**
   * Creates the session of a sign-in by a code or a recovery code. A challenge accepts five proofs; recovery codes are
   * accepted while codes of the account have to wait. The use of a recovery code is mailed to the user, and ends the trust in other devices:
   * who has lost a factor may have lost a device. With `trustDevice` the result has what the browser keeps, for the caller to set as cookie.
   * @throws AuthError `validation_error`, `unauthorized` for a wrong code and for a challenge that is expired, spent, or
   * issued before a change of the account, `rate_limited`, `service_unavailable` when codes cannot be decrypted.
   */
  async complete(input: SecondFactorInput, client: ClientInfo = unknownClient): Promise<SecondFactorTokens> {
    const { challenge, trustDevice = false, ...codes } = checkInput(secondFactorInput, input);
    const [kind, another] = this.#deps.factorKinds.filter(({ field }) => codes[field] !== undefined);
    if (!kind || another) {
      throw fieldError('code', 'required', 'must be given, or recoveryCode, but not both');
    }
    const trust = this.#trustOf(trustDevice, client);
    const code = codes[kind.field] ?? '';
    return this.#reported(kind.name, async () => {
      const { tokens, accepted } = await this.#deps.challengedSignIn.complete(
        challenge,
        {
          kind: kind.name,
          isGuessable: kind.isGuessable,
          enrols: false,
          accept: (open, trx) => this.#accept(kind, open, { code, client, trust }, trx),
          detailsOf: ({ factorId }) => (factorId === undefined ? {} : { factorId }),
        },
        client,
      );
      return accepted.trusted ? { ...tokens, trusted: accepted.trusted } : tokens;
    });
  }

  /**
   * Begins to set up the second factor that a sign-in requires.
   * @throws AuthError `validation_error`, `unauthorized` for a challenge that cannot be answered any more, or whose user
   * has a second factor.
   */
  async beginEnrolment(
    input: EnrolAtSignInInput,
    client: ClientInfo = unknownClient,
  ): Promise<TotpEnrolment> {
    const { challenge, name } = checkInput(enrolAtSignInInput, input);
    return this.#deps.challengedSignIn.within(challenge, ({ id, enrols, user }, trx) => {
      if (!enrols) throw challengeInvalid();
      return this.#deps.enroller.begin({ user, begunBy: id, client }, name, trx);
    });
  }

  /**
   * Confirms the new factor, and creates the session of the sign-in. Other challenges of the user end, and their sessions with one
   * factor.
   * @throws AuthError `validation_error`, `unauthorized` for a wrong code and for a challenge that cannot be answered any
   * more, `not_found` for a factor that this sign-in did not begin, `rate_limited`, `service_unavailable`.
   */
  async confirmEnrolment(
    input: ConfirmAtSignInInput,
    client: ClientInfo = unknownClient,
  ): Promise<EnrolledTokens> {
    const { challenge, id, code } = checkInput(confirmAtSignInInput, input);
    return this.#reported('enrolment', async () => {
      const { tokens, accepted } = await this.#deps.challengedSignIn.complete(
        challenge,
        {
          kind: 'enrolment',
          isGuessable: true,
          enrols: true,
          accept: ({ id: begunBy, user }, trx) =>
            this.#deps.firstFactor.adding({ userId: user.id, client }, trx, () =>
              this.#deps.enroller.confirm({ user, begunBy, client }, { id, code }, trx),
            ),
          detailsOf: ({ factor }) => ({ factorId: factor.id }),
        },
        client,
      );
      return { ...tokens, recoveryCodes: accepted.recoveryCodes ?? [] };
    });
  }

  /**
   * Returns what trusts the device, if the request asks for it. While no device can be trusted, the field is unknown and ignored like
   * any other. @throws AuthError `validation_error` for a client that can keep no secret.
   */
  #trustOf(isWanted: boolean, { trustedDevices }: ClientInfo): TrustedDeviceService | undefined {
    const trust = isWanted ? this.#deps.trustedDeviceService : undefined;
    if (trust && !trustedDevices)
      throw notTrusted('is for browsers in cookie mode; send X-Auth-Mode: cookie');
    return trust;
  }

  /** Uses the code, and trusts the device if that is wanted; neither happens if the user may not trust devices. */
  async #accept(
    kind: FactorKind,
    open: OpenChallenge,
    { code, client, trust }: { code: string; client: ClientInfo; trust: TrustedDeviceService | undefined },
    trx: Transaction,
  ): Promise<(UsedFactor & { trusted?: KeptDevices }) | undefined> {
    const { user } = open;
    if (trust && this.#deps.factorPolicy.trustedDeviceDaysOf(user) === 0)
      throw notTrusted('is not for staff, who prove a second factor at every sign-in; leave it out');
    const used = await this.#use(kind, open, { code, client }, trx);
    if (!used) return undefined;
    if (kind.isBackup) await this.#endTrust(user, client, trx);
    const trusted = await trust?.add(user, { label: deviceNameOf(client), client }, trx);
    return { ...used, ...(trusted && { trusted }) };
  }

  async #endTrust({ id: userId }: User, client: ClientInfo, trx: Transaction): Promise<void> {
    const actor = { kind: 'user', userId } as const;
    const ended = { userId, reason: 'recovery_code_used', actor, client };
    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
  }

  async #use(
    kind: FactorKind,
    { user }: OpenChallenge,
    { code, client }: { code: string; client: ClientInfo },
    trx: Transaction,
  ): Promise<UsedFactor | undefined> {
    const used = await this.#deps.factorVerifier.use(kind.name, user.id, code, trx);
    if (!used) return undefined;
    const { codesLeft } = used;
    if (kind.usedAtSignIn) {
      const actor = { kind: 'user' as const, userId: user.id };
      const about = { actor, subjectUserId: user.id, client, details: { codesLeft } };
      await this.#deps.audit.insert({ event: kind.usedAtSignIn, outcome: 'success', ...about }, trx);
    }
    if (kind.noticeOf) await this.#deps.notices.enqueue(trx, kind.noticeOf(user, used));
    return used;
  }

  #reported<T>(kind: SecondFactorKind, work: () => Promise<T>): Promise<T> {
    return reportOutcome(work(), (outcome) => this.#deps.observer.secondFactor(kind, outcome));
  }
}

/** The tokens of a sign-in, and what the browser keeps if its user trusts it. */
export interface SecondFactorTokens extends TokenPair {
  trusted?: KeptDevices;
}

const notTrusted = (message: string): AuthError => fieldError('trustDevice', 'not_allowed', message);
