import { appStepUpInput, type AppStepUp } from '../app-sign-in/app-proof-schema.js';
import type { FactorKind } from '../factors/factor-kind.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer, StepUpMethod } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import type { ConfirmationService } from '../login/confirmation-service.js';
import type { CurrentPassword } from '../login/current-password.js';
import type { PasskeyRequestOptions } from '../passkeys/passkey-schema.js';
import type { PasskeyStepUp } from '../passkeys/passkey-step-up.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import type { SessionStateQueries } from '../sessions/session-state-queries.js';
import { assertSessionActive } from '../sessions/session-status.js';
import type { SignedInUser } from '../sessions/session.js';
import type { PreparedToken, TokenIssuer } from '../sessions/token-issuer.js';
import { byPerson, isSignedInByPerson } from '../tokens/authentication-methods.js';
import { isRefused, type IdentityProof, type RefusedProof } from './identity-proof.js';
import type { IdentityProver } from './identity-prover.js';
import { accountChanged, type SessionRaiser } from './session-raiser.js';
import { stepUpInput, type RaisedToken, type StepUpInput } from './step-up-schema.js';
type Prove = () => (IdentityProof | RefusedProof) | Promise<IdentityProof | RefusedProof>;

/** The methods whose proofs the service verifies itself. */
type OwnProofMethod = Exclude<StepUpMethod, 'app'>;

/** One step-up. */
interface Attempt {
  readonly caller: SignedInUser;
  readonly client: ClientInfo;
  readonly method: OwnProofMethod;
  /** True for a code of a second factor. */
  readonly isCode: boolean;
  /** The reason for which the proof was refused, for the audit log. */
  reason?: string | undefined;
}

interface StepUpServiceDeps {
  readonly sessionStates: SessionStateQueries;
  readonly raiser: SessionRaiser;
  readonly confirmations: ConfirmationService;
  readonly throttle: AccountThrottle;
  readonly prover: IdentityProver;
  readonly factorKinds: readonly FactorKind[];
  readonly currentPassword: CurrentPassword;
  /** Undefined while passkeys are off. */
  readonly passkeyStepUp: PasskeyStepUp | undefined;
  readonly issuer: TokenIssuer;
  readonly observer: Observer;
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
    const { password, credential, external, ...codes } = proof;
    const by = (method: OwnProofMethod, prove: Prove, isCode = false) =>
      reportOutcome(this.#confirm({ caller, client, method, isCode }, prove), (outcome) =>
        this.#deps.observer.stepUp(method, outcome),
      );
    if (password !== undefined) return by('password', () => prover.byPassword(caller, password, client));
    if (credential) return by('passkey', () => prover.byPasskey(caller, credential));
    if (external) return by('external', () => prover.byExternal(caller, external, client));
    const kind = this.#deps.factorKinds.find(({ field }) => codes[field] !== undefined);
    if (!kind) throw new TypeError('No kind of second factor has the field of the proof.');
    return by(kind.stepUpMethod, () => prover.byFactor(kind, caller, codes[kind.field] ?? '', client), true);
  }

  /**
   * Raises a session after a proof that the app around the service has verified itself: the time of its sign-in and its methods,
   * to which `user` is added (RFC 8176 section 2); its level stays. The app limits guesses, and calls this once for each proof.
   * @returns a new access token of the session.
   * @throws AuthError `validation_error`, `not_found` for an unknown session, `session_revoked`, `unauthorized` for an expired one,
   * the sign-in codes, `forbidden` while an actor acts for the user, `service_unavailable`.
   */
  confirmedBy({ client = unknownClient, ...input }: AppStepUp): Promise<RaisedToken> {
    return reportOutcome(this.#confirmedBy(input, client), (outcome) =>
      this.#deps.observer.stepUp('app', outcome),
    );
  }

  async #confirmedBy(input: AppStepUp, client: ClientInfo): Promise<RaisedToken> {
    const { sessionId, method, amr } = checkInput(appStepUpInput, input);
    const state = (await this.#deps.sessionStates.check([sessionId])).get(sessionId);
    if (!state) throw AuthError.notFound('The session', 'session_not_found');
    const { id: userId, tokenVersion } = state.user;
    assertSessionActive({ userId, tokenVersion }, state);
    assertNotActing(state);
    const proof = { method, amr: byPerson(amr), acr: null, passwordHash: null, ceremonyBegunAt: null };
    const raised = await this.#deps.raiser.raise({ userId, sessionId, tokenVersion }, proof, client);
    if (isRefused(raised)) throw accountChanged();
    return this.#deps.issuer.issueAccessToken(raised);
  }

  async #confirm(attempt: Attempt, prove: Prove): Promise<RaisedToken> {
    const { caller, client, method } = attempt;
    if (method === 'password') this.#deps.currentPassword.assertCapacity(client);
    const details = () => ({ method, ...(attempt.reason !== undefined && { reason: attempt.reason }) });
    const check = async (): Promise<PreparedToken | undefined> => {
      const proof = await prove();
      const raised = isRefused(proof) ? proof : await this.#deps.raiser.raise(caller, proof, client);
      if (!isRefused(raised)) return raised;
      attempt.reason = raised.refused;
      return undefined;
    };
    const run = () => this.#deps.confirmations.run({ caller, client, event: 'step_up', details }, check);
    const raised = await (attempt.isCode ? this.#throttled(attempt, run) : run());
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
    if (!isSignedInByPerson(caller.amr)) throw firstFactorMissing();
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
}

/** @throws AuthError `validation_error` unless exactly one field is given. */
function assertOne(proofs: object): void {
  if (Object.values(proofs).filter((proof) => proof !== undefined).length === 1) return;
  const message = 'must have exactly one of password, code, recoveryCode, credential and external';
  throw AuthError.validation(`body: ${message}`, { fields: [{ pointer: '', reason: 'required', message }] });
}

const firstFactorMissing = (): AuthError =>
  AuthError.conflict(
    'This session was opened without a password or passkey. Confirm one of them first.',
    'first_factor_missing',
  );

const wrongCode = (): AuthError =>
  AuthError.unauthorized('The code is wrong or was used before.', 'code_wrong');

const WRONG: Record<OwnProofMethod, () => AuthError> = {
  password: () => AuthError.unauthorized('The current password is wrong.', 'current_password_wrong'),
  passkey: () => AuthError.unauthorized('The passkey was not accepted.', 'passkey_not_accepted'),
  external: () =>
    AuthError.unauthorized('The other service confirmed another person.', 'external_sign_in_failed'),
  code: wrongCode,
  recovery_code: wrongCode,
};
