import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { fieldError } from '../kernel/validation-error.js';
import type { Outbox } from '../mail/outbox.js';
import { accountChanged } from '../sessions/account-changed.js';
import { assertAllowedToSignIn } from '../sessions/allowed-to-sign-in.js';
import type { PasswordVoider } from '../sessions/password-voider.js';
import { reportSignIn } from '../sessions/report-sign-in.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { SignInResult } from '../sessions/sign-in-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import { MAILED_METHODS } from '../tokens/authentication-methods.js';
import type { MailedSignInRepository, ProvedMail } from '../users/mailed-sign-in-repository.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { digestOfMailedCode } from './mailed-code.js';
import {
  finishMailedSignInInput,
  mailedSignInRequestInput,
  type FinishMailedSignIn,
  type MailedSignInRequest,
} from './mailed-sign-in-schema.js';

interface MailedSignInServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly mailedSignIns: MailedSignInRepository;
  readonly setter: PasswordVoider;
  readonly signInPolicy: SignInPolicy;
  readonly beforeHooks: BeforeHookRunner;
  readonly signInCompleter: SignInCompleter;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

const METHOD = { method: 'mail' };

/** Signs users in by a link or a code that is sent to the mailbox of the account. */
export class MailedSignInService {
  readonly #deps: MailedSignInServiceDeps;

  constructor(deps: MailedSignInServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Requests the mail. The client makes a verifier and keeps it: the mail is worth nothing without it. A known and an unknown email run
   * the same statements, so neither response nor time tells them apart; whether the mail has a recipient is decided when it is due.
   * @throws AuthError `validation_error`.
   */
  async request(input: MailedSignInRequest, client: ClientInfo = unknownClient): Promise<StatusOk> {
    const { email, challenge } = checkInput(mailedSignInRequestInput, input);
    const user = await this.#deps.users.findByEmail(email);
    const payload = { userId: user?.id ?? null, fullName: user?.fullName ?? null, challenge };
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.outbox.enqueue(trx, { kind: 'mailed_sign_in', recipient: email, payload });
      const about = { actor: { kind: 'anonymous' }, subjectUserId: user?.id, client } as const;
      await this.#deps.audit.insert({ event: 'mailed_sign_in_requested', outcome: 'success', ...about }, trx);
    });
    return { status: 'ok' };
  }

  /**
   * Creates a session for the code or the token of a mail, or requires a second factor. The mail ends with it, and with its fifth wrong
   * code. The first proof of the mailbox is recorded, and the password, second factors and sessions from before it end, with notices.
   * @throws AuthError `validation_error`, `unauthorized` for a code or token that is wrong, was used or has expired, or that another
   * client asked for, the sign-in codes, the refusal of the hook, `service_unavailable`.
   */
  finish(input: FinishMailedSignIn, client: ClientInfo = unknownClient): Promise<SignInResult> {
    return reportSignIn(this.#finish(input, client), (outcome) =>
      this.#deps.observer.signIn('mail', outcome),
    );
  }

  async #finish(input: FinishMailedSignIn, client: ClientInfo): Promise<SignInResult> {
    const { verifier, code, token } = checkInput(finishMailedSignInInput, input);
    if ((code === undefined) === (token === undefined))
      throw fieldError('code', 'required', 'must be given, or token, but not both');
    const challenge = digestOf(verifier).toString('base64url');
    const proved =
      token === undefined
        ? await this.#proveByCode(challenge, code ?? '', client)
        : await this.#deps.mailedSignIns.findByToken(challenge, digestOf(token));
    if (!proved) throw mailInvalid();
    const user = await this.#deps.users.findById(proved.userId);
    if (!user) throw accountChanged();
    await assertAllowedToSignIn(this.#deps, asProved(user), { client, details: METHOD });
    await this.#deps.beforeHooks.login(user, METHOD, client);
    return this.#complete(proved, user, client);
  }

  /**
   * Compares a code and counts a wrong one, in a transaction that has locked the user. A wrong code is one audit row, whether or not
   * there was a mail, so that the time of the response does not reveal whether the address has an account.
   */
  async #proveByCode(challenge: string, code: string, client: ClientInfo): Promise<ProvedMail | undefined> {
    const userId = await this.#deps.mailedSignIns.ownerOf(challenge);
    return this.#deps.database.transaction(async (trx) => {
      const proved = userId === undefined ? undefined : await this.#tryCode(challenge, userId, code, trx);
      if (!proved) {
        const about = { actor: { kind: 'anonymous' }, subjectUserId: userId, client } as const;
        await this.#deps.audit.insert({ event: 'login', outcome: 'failure', ...about, details: METHOD }, trx);
      }
      return proved;
    });
  }

  async #tryCode(
    challenge: string,
    userId: string,
    code: string,
    trx: Transaction,
  ): Promise<ProvedMail | undefined> {
    await this.#deps.users.lock([userId], trx);
    return this.#deps.mailedSignIns.tryCode({ challenge, userId, codeDigest: digestOfMailedCode(code) }, trx);
  }

  /** Spends the mail under the lock of the user's row: of simultaneous sign-ins the later ones find it spent. */
  #complete({ id }: ProvedMail, judged: User, client: ClientInfo): Promise<SignInResult> {
    return this.#deps.database.transaction(async (trx) => {
      const locked = (await this.#deps.users.lock([judged.id], trx)).get(judged.id);
      // The hook has judged that account.
      if (!locked || locked.tokenVersion !== judged.tokenVersion) throw accountChanged();
      if (!(await this.#deps.mailedSignIns.spend(id, trx))) throw mailInvalid();
      const user = await this.#proveMailbox(locked, client, trx);
      return this.#deps.signInCompleter.complete(
        {
          user,
          origin: 'mail',
          amr: MAILED_METHODS,
          acr: 'aal1',
          passwordHash: null,
          audit: { event: 'login', actor: { kind: 'user', userId: user.id }, details: METHOD },
        },
        client,
        trx,
      );
    });
  }

  /**
   * Records the proof of the mailbox. What was set up before the first one may be another person's, who has registered the address of the
   * owner: it is removed.
   */
  async #proveMailbox(user: User, client: ClientInfo, trx: Transaction): Promise<User> {
    if (!(await this.#deps.users.markEmailVerified(user.id, trx))) return user;
    const actor = { kind: 'user', userId: user.id } as const;
    const cause = { reason: 'password_changed', event: 'email_verified', actor, client } as const;
    return this.#deps.setter.voidWithin(user.id, { ...cause, details: METHOD }, trx);
  }
}

/** Returns the user as the proof of the mailbox leaves it. */
const asProved = (user: User): User => ({ ...user, emailVerifiedAt: user.emailVerifiedAt ?? new Date() });

const mailInvalid = (): AuthError =>
  AuthError.unauthorized(
    'The code or the link is wrong, was used, or has expired. Check it, or ask for a new mail in this client.',
    'mailed_sign_in_invalid',
  );
