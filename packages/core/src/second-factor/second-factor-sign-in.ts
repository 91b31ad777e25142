import type { AuditRepository } from '../audit/audit-repository.js';
import type { OpenChallenge } from '../factors/challenge-repository.js';
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
import { recoveryCodeNotice } from '../factors/recovery-code-notice.js';
import type { TotpEnroller } from '../factors/totp-enroller.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer, SecondFactorKind } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import { fieldError } from '../kernel/validation-error.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { FirstFactor } from '../sessions/first-factor.js';
import type { TokenPair } from '../sessions/session-schema.js';
import type { Transaction } from '../storage/database.js';
import { challengeInvalid, type ChallengedSignIn } from './challenged-sign-in.js';
import type { EnrolledTokens } from './enrolled-tokens.js';

interface SecondFactorSignInDeps {
  readonly challengedSignIn: ChallengedSignIn;
  readonly factorVerifier: FactorVerifier;
  readonly enroller: TotpEnroller;
  readonly firstFactor: FirstFactor;
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
   * accepted while codes of the account have to wait. The use of a recovery code is mailed to the user.
   * @throws AuthError `validation_error`, `unauthorized` for a wrong code and for a challenge that is expired, spent, or
   * issued before a change of the account, `rate_limited`, `service_unavailable` when codes cannot be decrypted.
   */
  async complete(input: SecondFactorInput, client: ClientInfo = unknownClient): Promise<TokenPair> {
    const { challenge, code, recoveryCode } = checkInput(secondFactorInput, input);
    if ((code === undefined) === (recoveryCode === undefined)) {
      throw fieldError('code', 'required', 'must be given, or recoveryCode, but not both');
    }
    const kind = code === undefined ? 'recovery_code' : 'totp';
    return this.#reported(kind, async () => {
      const { tokens } = await this.#deps.challengedSignIn.complete(
        challenge,
        {
          kind,
          enrols: false,
          accept: (open, trx) => this.#use(open, { code, recoveryCode, client }, trx),
          detailsOf: ({ factorId }) => (factorId === undefined ? {} : { factorId }),
        },
        client,
      );
      return tokens;
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

  async #use(
    { user }: OpenChallenge,
    { code, recoveryCode, client }: GivenProof,
    trx: Transaction,
  ): Promise<UsedFactor | undefined> {
    if (code !== undefined) return this.#deps.factorVerifier.useCode(user.id, code, trx);
    const used = await this.#deps.factorVerifier.useRecoveryCode(user.id, recoveryCode ?? '', trx);
    if (!used) return undefined;
    const { codesLeft = 0 } = used;
    await this.#deps.audit.insert(
      {
        event: 'recovery_code_used',
        outcome: 'success',
        actor: { kind: 'user', userId: user.id },
        subjectUserId: user.id,
        client,
        details: { codesLeft },
      },
      trx,
    );
    await this.#deps.notices.enqueue(trx, recoveryCodeNotice(user, used));
    return used;
  }

  #reported<T>(kind: SecondFactorKind, work: () => Promise<T>): Promise<T> {
    return reportOutcome(work(), (outcome) => this.#deps.observer.secondFactor(kind, outcome));
  }
}

interface GivenProof {
  code: string | undefined;
  recoveryCode: string | undefined;
  client: ClientInfo;
}
