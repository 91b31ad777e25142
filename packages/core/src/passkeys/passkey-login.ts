import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { CodeGuesses } from '../factors/code-guesses.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import { assertAllowedToSignIn } from '../sessions/allowed-to-sign-in.js';
import { GrantSpentError } from '../sessions/grant-spent-error.js';
import type { SessionCreator, VerifiedSignIn } from '../sessions/session-creator.js';
import type { TokenPair } from '../sessions/session-schema.js';
import type { Database } from '../storage/database.js';
import { PASSKEY_METHODS } from '../tokens/authentication-methods.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import type { Ceremonies } from './ceremonies.js';
import { readClientData } from './client-data.js';
import type { PasskeyRepository } from './passkey-repository.js';
import {
  passkeyLoginInput,
  type AuthenticationResponse,
  type PasskeyRequestOptions,
} from './passkey-schema.js';
import { isUserHandleOf, type StoredCredential, type VerifiedUse } from './passkey.js';
import { Refusal } from './refusal.js';
import type { RelyingParty } from './relying-party.js';

const METHOD = { method: 'passkey' };

/** A verified assertion. */
interface Proof {
  stored: StoredCredential;
  use: VerifiedUse;
  challenge: string;
}

export interface PasskeyLoginDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly passkeys: PasskeyRepository;
  readonly guesses: CodeGuesses;
  readonly ceremonies: Ceremonies;
  readonly relyingParty: RelyingParty;
  readonly beforeHooks: BeforeHookRunner;
  readonly sessionCreator: SessionCreator;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

/**
 * Signs users in with a passkey, without a name: the credential identifies its owner. The challenge is spent
 * by taking it out of the ephemeral store; a store restored from a backup cannot spend it again, because the
 * session keeps its digest under a unique index.
 */
export class PasskeyLogin {
  readonly #deps: PasskeyLoginDeps;

  constructor(deps: PasskeyLoginDeps) {
    this.#deps = deps;
  }

  /** Starts a ceremony. @throws AuthError `service_unavailable` without the ephemeral store. */
  async options(): Promise<PasskeyRequestOptions> {
    const options = await this.#deps.relyingParty.requestOptions();
    await this.#deps.ceremonies.begin('login', options.challenge, null);
    return options;
  }

  /**
   * Completes a ceremony and creates a session. The status of an account shows only after a valid assertion.
   * @throws AuthError `validation_error`, `unauthorized` for a response that does not verify, the sign-in codes,
   * `service_unavailable` without the ephemeral store.
   */
  verify(credential: AuthenticationResponse, client: ClientInfo = unknownClient): Promise<TokenPair> {
    return reportOutcome(this.#signIn(credential, client), (outcome) =>
      this.#deps.observer.signIn('passkey', outcome),
    );
  }

  async #signIn(given: AuthenticationResponse, client: ClientInfo): Promise<TokenPair> {
    const { credential } = checkInput(passkeyLoginInput, { credential: given });
    try {
      const proof = await this.#verified(credential);
      await assertAllowedToSignIn(this.#deps, proof.stored.owner, { client, details: METHOD });
      await this.#deps.beforeHooks.login(proof.stored.owner, { method: 'passkey' }, client);
      return await this.#createSession(proof, client);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refuse(error, credential, client);
    }
  }

  async #verified(credential: AuthenticationResponse): Promise<Proof> {
    const { challenge } = readClientData(credential.response.clientDataJSON) ?? {};
    if (challenge === undefined || (await this.#deps.ceremonies.take('login', challenge)) === undefined) {
      throw new Refusal('ceremony');
    }
    const stored = await this.#deps.passkeys.findCredential(credential.id);
    if (!stored) throw new Refusal('credential');
    const use = await this.#deps.relyingParty.verifyAssertion(credential, challenge, stored);
    if (!isUserHandleOf(stored.owner.id, credential.response.userHandle)) throw new Refusal('user_handle');
    if (use.deviceType !== stored.deviceType) throw new Refusal('backup_eligibility');
    return { stored, use, challenge };
  }

  /**
   * Creates the session. Locks the row of the user first, as a password reset does before it removes
   * passkeys, so the two never deadlock.
   */
  async #createSession({ stored, use, challenge }: Proof, client: ClientInfo): Promise<TokenPair> {
    const { owner: user, passkeyId } = stored;
    const signIn: VerifiedSignIn = {
      user,
      origin: 'passkey',
      amr: PASSKEY_METHODS,
      acr: 'aal2',
      passwordHash: null,
      grantDigest: digestOf(challenge),
      audit: {
        event: 'login',
        actor: { kind: 'user', userId: user.id },
        details: { ...METHOD, passkeyId },
      },
    };
    try {
      return await this.#deps.database.transaction(async (trx) => {
        await this.#deps.users.lock([user.id], trx);
        if (!(await this.#deps.passkeys.recordUse(passkeyId, use, trx))) throw new Refusal('counter');
        await this.#deps.guesses.forget(user.id, trx);
        return this.#deps.sessionCreator.create(signIn, client, trx);
      });
    } catch (error) {
      if (error instanceof GrantSpentError) throw new Refusal('ceremony');
      throw error;
    }
  }

  async #refuse({ reason }: Refusal, credential: AuthenticationResponse, client: ClientInfo): Promise<never> {
    const claimed = await this.#deps.passkeys.findCredential(credential.id);
    const details = { ...METHOD, reason };
    await this.#record({ outcome: 'failure', subjectUserId: claimed?.owner.id, details }, client);
    throw AuthError.unauthorized('The passkey was not accepted.', 'passkey_not_accepted');
  }

  async #record(
    refusal: Pick<AuditEvent, 'outcome' | 'details' | 'subjectUserId'>,
    client: ClientInfo,
  ): Promise<void> {
    await this.#deps.audit.insert({ event: 'login', actor: { kind: 'anonymous' }, client, ...refusal });
  }
}
