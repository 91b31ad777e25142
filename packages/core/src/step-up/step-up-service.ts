import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import type { Observer, StepUpMethod } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import type { ConfirmationService } from '../login/confirmation-service.js';
import type { CurrentPassword } from '../login/current-password.js';
import type { PasskeyRequestOptions } from '../passkeys/passkey-schema.js';
import type { PasskeyStepUp } from '../passkeys/passkey-step-up.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import { hasFirstFactor } from '../sessions/authentication-methods.js';
import type { SessionRepository } from '../sessions/session-repository.js';
import { assertSessionActive } from '../sessions/session-status.js';
import type { SignedInUser } from '../sessions/session.js';
import type { StepUpRepository } from '../sessions/step-up-repository.js';
import type { PreparedToken, TokenIssuer } from '../sessions/token-issuer.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { isRefused, type IdentityProof, type ProofDetails, type RefusedProof } from './identity-proof.js';
import type { IdentityProver } from './identity-prover.js';
import { stepUpInput, type RaisedToken, type StepUpInput } from './step-up-schema.js';

type Proven = IdentityProof | RefusedProof;
type Prove = () => Proven | Promise<Proven>;

/** One step-up. */
interface Attempt {
  readonly caller: SignedInUser;
  readonly client: ClientInfo;
  readonly method: StepUpMethod;
  /** The reason for which the proof was refused, for the audit log. */
  reason?: string | undefined;
}

export interface StepUpServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly stepUps: StepUpRepository;
  readonly confirmations: ConfirmationService;
  readonly throttle: AccountThrottle;
  readonly prover: IdentityProver;
  readonly currentPassword: CurrentPassword;
  /** Undefined while passkeys are off. */
  readonly passkeyStepUp: PasskeyStepUp | undefined;
  readonly issuer: TokenIssuer;
  readonly observer: Observer;
  readonly clock: Clock;
}

/** Proves the identity of a signed-in user again, which raises their session: a newer sign-in, by more methods. */
export class StepUpService {
  readonly #deps: StepUpServiceDeps;

  constructor(deps: StepUpServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Starts the ceremony of a step-up with a passkey, bound to the caller's session.
   * @throws AuthError `not_found` while passkeys are off and for a user without any, `service_unavailable` without the
   * ephemeral store.
   */
  async passkeyOptions(caller: SignedInUser): Promise<PasskeyRequestOptions> {
    const { passkeyStepUp } = this.#deps;
    assertNotActing(caller);
    if (!passkeyStepUp) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
    return passkeyStepUp.options(caller);
  }

  /**
   * Checks a proof and raises the caller's session: the time of its sign-in, its methods, and with a passkey or a code
   * its level. Refresh tokens stay as they are and keep what was raised; older access tokens keep their older claims.
   * Wrong proofs count for the session, wrong codes also for the account.
   * @returns a new access token of the session.
   * @throws AuthError `validation_error`, `unauthorized` for a wrong proof, `rate_limited` while another confirmation of
   * the session is running, `session_revoked` when too many were wrong, `conflict` for a code in a session without a
   * first factor and when the account changed meanwhile, `forbidden` while an actor acts for the user, `service_unavailable`.
   */
  async confirm(
    caller: SignedInUser,
    input: StepUpInput,
    client: ClientInfo = unknownClient,
  ): Promise<RaisedToken> {
    const { prover } = this.#deps;
    const proof = checkInput(stepUpInput, input);
    assertOne(proof);
    assertNotActing(caller);
    const { password, code, recoveryCode, credential } = proof;
    const by = (method: StepUpMethod, prove: Prove) =>
      reportOutcome(this.#confirm({ caller, client, method }, prove), (outcome) =>
        this.#deps.observer.stepUp(method, outcome),
      );
    if (password !== undefined) return by('password', () => prover.byPassword(caller, password, client));
    if (credential) return by('passkey', () => prover.byPasskey(caller, credential));
    if (code !== undefined) return by('code', () => prover.byCode(caller, code));
    return by('recovery_code', () => prover.byRecoveryCode(caller, recoveryCode ?? ''));
  }

  async #confirm(attempt: Attempt, prove: Prove): Promise<RaisedToken> {
    const { caller, client, method } = attempt;
    if (method === 'password') this.#deps.currentPassword.assertCapacity(client);
    const details = () => ({ method, ...(attempt.reason !== undefined && { reason: attempt.reason }) });
    const check = async (): Promise<PreparedToken | undefined> => {
      const proof = await prove();
      if (!isRefused(proof)) return this.#raised(attempt, proof);
      attempt.reason = proof.refused;
      return undefined;
    };
    const run = () => this.#deps.confirmations.run({ caller, client, event: 'step_up', details }, check);
    const raised = await (isByCode(method) ? this.#throttled(attempt, run) : run());
    if (!raised) throw WRONG[method]();
    return this.#deps.issuer.issueAccessToken(raised);
  }

  /**
   * Counts a wrong code for the account too: codes are short, and a session can hand itself on to others, each of which
   * would have guesses of its own. A right one does not clear the count, which a completed sign-in does.
   */
  async #throttled<T>(
    { caller, client }: Attempt,
    run: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (!hasFirstFactor(caller.amr)) throw firstFactorMissing();
    const attempt = await this.#deps.throttle.reserve(caller.user.email, client.ipAddress);
    try {
      const result = await run();
      if (result === undefined) await attempt.fail();
      return result;
    } finally {
      // Does nothing if the attempt was counted as failed.
      await attempt.takeBack();
    }
  }

  /** Spends the proof and raises the session. Returns undefined if the proof turns out to be worthless. */
  async #raised(attempt: Attempt, proof: IdentityProof): Promise<PreparedToken | undefined> {
    const isOneStatement = !proof.spend && !this.#deps.issuer.addsClaims;
    try {
      const raised = await (isOneStatement
        ? this.#raise(attempt, proof, {})
        : this.#deps.database.transaction((trx) => this.#spendAndRaise(attempt, proof, trx)));
      if (!isRefused(raised)) return raised;
      attempt.reason = raised.refused;
      return undefined;
    } catch (error) {
      if (!(error instanceof OutdatedError)) throw error;
      return this.#explain(attempt);
    }
  }

  /**
   * Locks the row of the user first, as everything does that changes what was verified. A proof that is refused is committed, too:
   * a wrong code was counted for the account.
   */
  async #spendAndRaise(
    attempt: Attempt,
    proof: IdentityProof,
    trx: Transaction,
  ): Promise<PreparedToken | RefusedProof> {
    await this.#deps.users.lock([attempt.caller.userId], trx);
    const spent = (await proof.spend?.(trx)) ?? {};
    if (isRefused(spent)) return spent;
    return this.#raise(attempt, proof, spent, trx);
  }

  async #raise(
    { caller, client }: Attempt,
    proof: IdentityProof,
    spent: ProofDetails,
    trx?: Transaction,
  ): Promise<PreparedToken> {
    const { userId, sessionId, tokenVersion } = caller;
    const { method, amr, acr, ceremonyBegunAt, passwordHash } = proof;
    const claims = await this.#deps.stepUps.raise(
      {
        sessionId,
        userId,
        verified: { tokenVersion, passwordHash },
        amr,
        acr,
        authTime: epochSeconds(this.#deps.clock),
        ceremonyBegunAt,
      },
      {
        event: 'step_up',
        outcome: 'success',
        actor: { kind: 'user', userId },
        subjectUserId: userId,
        sessionId,
        client,
        details: { method, ...spent },
      },
      trx,
    );
    if (!claims) throw new OutdatedError();
    return this.#deps.issuer.prepare(claims);
  }

  /**
   * Explains why nothing was raised after a right proof: the session ended or the account changed, which does not
   * count, or an earlier ceremony of a passkey, which does.
   */
  async #explain(attempt: Attempt): Promise<undefined> {
    const { caller, method } = attempt;
    const states = await this.#deps.sessions.check([caller.sessionId]);
    assertSessionActive(caller, states.get(caller.sessionId));
    if (method !== 'passkey') {
      throw AuthError.conflict('The account changed meanwhile. Try again.', 'account_changed');
    }
    attempt.reason = 'ceremony';
    return undefined;
  }
}

/** Rolls the transaction back in which a proof was spent, because the state that was verified no longer holds. */
class OutdatedError extends Error {}

/** @throws AuthError `validation_error` unless exactly one field is given. */
function assertOne(proofs: object): void {
  if (Object.values(proofs).filter((proof) => proof !== undefined).length === 1) return;
  const message = 'must have exactly one of password, code, recoveryCode and credential';
  throw AuthError.validation(`body: ${message}`, { fields: [{ pointer: '', reason: 'required', message }] });
}

const isByCode = (method: StepUpMethod): boolean => method === 'code' || method === 'recovery_code';

const firstFactorMissing = (): AuthError =>
  AuthError.conflict(
    'This session was opened without a password or passkey. Confirm one of them first.',
    'first_factor_missing',
  );

const wrongCode = (): AuthError =>
  AuthError.unauthorized('The code is wrong or was used before.', 'code_wrong');

const WRONG: Record<StepUpMethod, () => AuthError> = {
  password: () => AuthError.unauthorized('The current password is wrong.', 'current_password_wrong'),
  passkey: () => AuthError.unauthorized('The passkey was not accepted.', 'passkey_not_accepted'),
  code: wrongCode,
  recovery_code: wrongCode,
};
