import type { z } from 'zod';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { accountChanged } from '../sessions/account-changed.js';
import { assertAllowedToSignIn } from '../sessions/allowed-to-sign-in.js';
import type { PasswordVoider } from '../sessions/password-voider.js';
import { reportSignIn } from '../sessions/report-sign-in.js';
import type { SessionCreator, VerifiedSignIn } from '../sessions/session-creator.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { SignInResult } from '../sessions/sign-in-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { appSignInInput, type AppSignIn } from './app-proof-schema.js';

interface AppSignInServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly setter: PasswordVoider;
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
   * used once, and limited guesses: call this once for each proof. With `provesMailbox`, the first proof of the mailbox is recorded
   * in the transaction of the sign-in, and the password, second factors and sessions from before it end, with notices. A
   * registration that waits for its approval is refused as without it, and nothing is recorded.
   * @throws AuthError `validation_error`, `not_found` for an unknown user, the sign-in codes, `unauthorized` if the account changed
   * meanwhile, the refusal of the hook, `service_unavailable`.
   */
  begin({ client = unknownClient, ...input }: AppSignIn): Promise<SignInResult> {
    return reportSignIn(this.#begin(input, client), (outcome) => this.#deps.observer.signIn('app', outcome));
  }

  async #begin(input: AppSignIn, client: ClientInfo): Promise<SignInResult> {
    const proof = checkInput(appSignInInput, input);
    const { userId, method, provesMailbox } = proof;
    const user = await this.#deps.users.findById(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    const judged = provesMailbox ? asProved(user) : user;
    await assertAllowedToSignIn(this.#deps, judged, { client, details: { method } });
    await this.#deps.beforeHooks.login(user, { method }, client);
    if (!provesMailbox) return this.#complete(user, proof, client);
    return this.#deps.database.transaction(async (trx) => {
      const locked = (await this.#deps.users.lock([userId], trx)).get(userId);
      // The proof was sent to the address that was read above, and the hook has judged that account.
      if (locked?.email !== user.email || locked.tokenVersion !== user.tokenVersion) throw accountChanged();
      return this.#complete(await this.#prove(locked, { method, client }, trx), proof, client, trx);
    });
  }

  /**
   * Records the proof of the mailbox. What was set up before the first one may be another person's, who has registered the
   * address of the owner: it is removed.
   */
  async #prove(
    user: User,
    { method, client }: { method: string; client: ClientInfo },
    trx: Transaction,
  ): Promise<User> {
    if (!(await this.#deps.users.markEmailVerified(user.id, trx))) return user;
    const actor = { kind: 'user', userId: user.id } as const;
    const cause = { reason: 'password_changed', event: 'email_verified', actor, client } as const;
    return this.#deps.setter.voidWithin(user.id, { ...cause, details: { method } }, trx);
  }

  #complete(
    user: User,
    { userId, method, amr, acr }: z.output<typeof appSignInInput>,
    client: ClientInfo,
    trx?: Transaction,
  ): Promise<SignInResult> {
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
      ? this.#deps.sessionCreator.create(signIn, client, trx)
      : this.#deps.signInCompleter.complete(signIn, client, trx);
  }
}

/** Returns the user as the proof of the mailbox leaves it. A pending registration is not approved by it, and stays as it is. */
const asProved = (user: User): User =>
  user.approvalStatus === 'PENDING' ? user : { ...user, emailVerifiedAt: user.emailVerifiedAt ?? new Date() };
