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

export interface SecondFactorSignInDeps {
  readonly challengedSignIn: ChallengedSignIn;
  readonly factorKinds: readonly FactorKind[];
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
    const { challenge, ...codes } = checkInput(secondFactorInput, input);
    const [kind, another] = this.#deps.factorKinds.filter(({ field }) => codes[field] !== undefined);
    if (!kind || another) {
      throw fieldError('code', 'required', 'must be given, or recoveryCode, but not both');
    }
    const code = codes[kind.field] ?? '';
    return this.#reported(kind.name, async () => {
      const { tokens } = await this.#deps.challengedSignIn.complete(
        challenge,
        {
          kind: kind.name,
          isGuessable: kind.isGuessable,
          enrols: false,
          accept: (open, trx) => this.#use(kind, open, { code, client }, trx),
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
