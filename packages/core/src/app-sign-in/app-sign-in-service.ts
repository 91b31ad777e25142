import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { assertAllowedToSignIn } from '../sessions/allowed-to-sign-in.js';
import { reportSignIn } from '../sessions/report-sign-in.js';
import type { SessionCreator, VerifiedSignIn } from '../sessions/session-creator.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { SignInResult } from '../sessions/sign-in-schema.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import { appSignInInput, type AppSignIn } from './app-proof-schema.js';

interface AppSignInServiceDeps {
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly beforeHooks: BeforeHookRunner;
  readonly signInCompleter: SignInCompleter;
  readonly sessionCreator: SessionCreator;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

/** Signs in users that the app around the service has identified in a way of its own. */
export class AppSignInService {
  readonly #deps: AppSignInServiceDeps;

  constructor(deps: AppSignInServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Does everything that follows the first factor of a sign-in: the state of the account, the `login` hook, a second factor where
   * one is required, the session, the notice of a new device, the audit row. The app has verified its proof, spent it if it can be
   * used once, and limited guesses: call this once for each proof.
   * @throws AuthError `validation_error`, `not_found` for an unknown user, the sign-in codes, `unauthorized` if the account changed
   * meanwhile, the refusal of the hook, `service_unavailable`.
   */
  begin({ client = unknownClient, ...input }: AppSignIn): Promise<SignInResult> {
    return reportSignIn(this.#begin(input, client), (outcome) => this.#deps.observer.signIn('app', outcome));
  }

  async #begin(input: AppSignIn, client: ClientInfo): Promise<SignInResult> {
    const { userId, method, amr, acr } = checkInput(appSignInInput, input);
    const user = await this.#deps.users.findById(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    await assertAllowedToSignIn(this.#deps, user, { client, details: { method } });
    await this.#deps.beforeHooks.login(user, { method }, client);
    const signIn: VerifiedSignIn = {
      user,
      origin: 'app',
      method,
      amr,
      acr,
      passwordHash: null,
      audit: { event: 'login', actor: { kind: 'user', userId }, details: { method } },
    };
    return acr === 'aal2'
      ? this.#deps.sessionCreator.create(signIn, client)
      : this.#deps.signInCompleter.complete(signIn, client);
  }
}
