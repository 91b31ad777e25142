import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { assertAllowedToSignIn } from '../sessions/allowed-to-sign-in.js';
import { reportSignIn } from '../sessions/report-sign-in.js';
import type { SessionCreator, VerifiedSignIn } from '../sessions/session-creator.js';
import type { RevokeReason } from '../sessions/session.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { SignInResult } from '../sessions/sign-in-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import { isStaff } from '../users/authority.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { appSignInInput, type AppSignIn } from './app-proof-schema.js';

/** Takes the password away, and with it what another person may have set up. */
interface PasswordRemoval {
  setWithin(
    change: {
      userId: string;
      passwordHash: null;
      removePasskeys: true;
      reason: RevokeReason;
      event: AuditEventName;
      actor: Actor;
      client: ClientInfo;
      precondition: () => Promise<boolean>;
    },
    trx: Transaction,
  ): Promise<{ user: User }>;
}

interface AppSignInServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly beforeHooks: BeforeHookRunner;
  readonly setter: PasswordRemoval;
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
   * used once, and limited guesses: call this once for each proof. The first proof of a mailbox takes the password away, removes
   * passkeys, authenticator apps and recovery codes, and ends all sessions: they may be those of another person.
   * @throws AuthError `validation_error`, `not_found` for an unknown user, the sign-in codes, `unauthorized` if the account changed
   * meanwhile, the refusal of the hook, `service_unavailable`.
   */
  begin({ client = unknownClient, ...input }: AppSignIn): Promise<SignInResult> {
    return reportSignIn(this.#begin(input, client), (outcome) => this.#deps.observer.signIn('app', outcome));
  }

  async #begin(input: AppSignIn, client: ClientInfo): Promise<SignInResult> {
    const { userId, method, amr, acr, provesMailbox } = checkInput(appSignInInput, input);
    const user = await this.#deps.users.findById(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    // A mailbox vouches for no role: the accounts of staff are left to those who gave the role.
    const proves = provesMailbox && !isStaff(user.globalRole);
    const judged = proves ? { ...user, emailVerifiedAt: user.emailVerifiedAt ?? new Date() } : user;
    await assertAllowedToSignIn(this.#deps, judged, { client, details: { method } });
    await this.#deps.beforeHooks.login(user, { method }, client);
    const complete = (proved: User, trx?: Transaction): Promise<SignInResult> => {
      const signIn = signInOf(proved, { method, amr, acr });
      return acr === 'aal2'
        ? this.#deps.sessionCreator.create(signIn, client, trx)
        : this.#deps.signInCompleter.complete(signIn, client, trx);
    };
    if (!proves) return complete(user);
    return this.#deps.database.transaction(async (trx) =>
      complete(await this.#reclaimed(user, { method, client }, trx), trx),
    );
  }

  /** Records the proof of the mailbox, and ends what another person may have set up before the first one. */
  async #reclaimed(
    user: User,
    { method, client }: { method: string; client: ClientInfo },
    trx: Transaction,
  ): Promise<User> {
    const { id: userId } = user;
    await this.#deps.users.lock([userId], trx);
    if (!(await this.#deps.users.markEmailVerified(userId, trx))) return user;
    const actor = { kind: 'user', userId } as const;
    const proof = { event: 'email_verified', outcome: 'success', actor, subjectUserId: userId } as const;
    await this.#deps.audit.insert({ ...proof, client, details: { method } }, trx);
    const change = await this.#deps.setter.setWithin(
      {
        userId,
        passwordHash: null,
        removePasskeys: true,
        reason: 'password_changed',
        event: 'password_changed',
        actor,
        client,
        precondition: () => Promise.resolve(true),
      },
      trx,
    );
    return change.user;
  }
}

const signInOf = (
  user: User,
  { method, amr, acr }: Pick<VerifiedSignIn, 'amr' | 'acr'> & { method: string },
): VerifiedSignIn => ({
  user,
  origin: 'app',
  method,
  amr,
  acr,
  passwordHash: null,
  audit: { event: 'login', actor: { kind: 'user', userId: user.id }, details: { method } },
});
