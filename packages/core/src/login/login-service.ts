import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import type { SignInAttempt } from '../rate-limits/sign-in-attempt.js';
import { assertAllowedToSignIn } from '../sessions/allowed-to-sign-in.js';
import { reportSignIn } from '../sessions/report-sign-in.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { SignInResult } from '../sessions/sign-in-schema.js';
import { PASSWORD_METHODS } from '../tokens/authentication-methods.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository, UserWithPassword } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { loginInput, type LoginInput } from './login-schema.js';

interface LoginServiceDeps {
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly passwords: PasswordHasher;
  readonly throttle: AccountThrottle;
  readonly refusals: RefusalSampler;
  readonly beforeHooks: BeforeHookRunner;
  readonly signInCompleter: SignInCompleter;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

/** Signs users in with email and password. */
export class LoginService {
  readonly #deps: LoginServiceDeps;

  constructor(deps: LoginServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a session for the right password, or requires a second factor: then there is no session yet. An unknown email, a wrong password and an account without a
   * password cost the same work and return the same error; the status of an account shows only after the
   * right password.
   * @throws AuthError `validation_error`, `not_implemented` (vendor), `rate_limited`, `unauthorized`, the sign-in
   * codes, `service_unavailable`.
   */
  withPassword(input: LoginInput, client: ClientInfo = unknownClient): Promise<SignInResult> {
    return reportSignIn(this.#signIn(input, client), (outcome) =>
      this.#deps.observer.signIn('password', outcome),
    );
  }

  async #signIn(input: LoginInput, client: ClientInfo): Promise<SignInResult> {
    this.#deps.passwords.assertCapacity(ipBucket(client.ipAddress));
    const { email, password, accountType } = checkInput(loginInput, input);
    if (accountType === 'vendor') {
      throw new AuthError('not_implemented', 'Vendor sign-in is not available.');
    }
    const attempt = await this.#reserve(email, client);
    try {
      const result = await this.#signInTo(email, password, attempt, client);
      if ('accessToken' in result) await attempt.succeed();
      return result;
    } finally {
      // Does nothing if the attempt has succeeded or was counted as failed.
      await attempt.takeBack();
    }
  }

  async #signInTo(
    email: string,
    password: string,
    attempt: SignInAttempt,
    client: ClientInfo,
  ): Promise<SignInResult> {
    const account = await this.#deps.users.findForLogin(email);
    const bucket = ipBucket(client.ipAddress);
    if (
      !account?.passwordHash ||
      !(await this.#deps.passwords.verify(account.passwordHash, password, bucket))
    ) {
      if (!account?.passwordHash) await this.#deps.passwords.verifyDecoy(password, email, bucket);
      await attempt.fail();
      return this.#refuse(account?.user, client);
    }
    await assertAllowedToSignIn(this.#deps, account.user, { client, details: {} });
    await this.#deps.beforeHooks.login(account.user, { method: 'password' }, client);
    return this.#complete(account, password, client);
  }

  /** Counts the attempt before the account is looked up. */
  async #reserve(email: string, client: ClientInfo): Promise<SignInAttempt> {
    try {
      return await this.#deps.throttle.reserve(email, client.ipAddress);
    } catch (error) {
      if (AuthError.is(error) && error.code === 'rate_limited') await this.#recordWait(email, client);
      throw error;
    }
  }

  /** Records at most one row a minute for each email, whether or not an account has it. */
  async #recordWait(email: string, client: ClientInfo): Promise<void> {
    const sampled = await this.#deps.refusals.sample(`login:${digestOf(email).toString('base64url')}`);
    if (!sampled) return;
    const account = await this.#deps.users.findForLogin(email);
    const details = { method: 'password', reason: 'rate_limited', ...sampled };
    await this.#record({ outcome: 'denied', subjectUserId: account?.user.id, details }, client);
  }

  async #complete(account: UserWithPassword, password: string, client: ClientInfo): Promise<SignInResult> {
    const { user } = account;
    return this.#deps.signInCompleter.complete(
      {
        user,
        origin: 'password',
        amr: PASSWORD_METHODS,
        acr: 'aal1',
        passwordHash: await this.#upToDateHash(account, password, client),
        audit: { event: 'login', actor: { kind: 'user', userId: user.id }, details: { method: 'password' } },
      },
      client,
    );
  }

  /** Replaces a hash of other parameters by one of the configured parameters, while the password is known. */
  async #upToDateHash(
    account: UserWithPassword,
    password: string,
    client: ClientInfo,
  ): Promise<string | null> {
    const { user, passwordHash } = account;
    if (passwordHash === null || !this.#deps.passwords.needsRehash(passwordHash)) return passwordHash;
    const bucket = ipBucket(client.ipAddress);
    const better = await this.#deps.passwords.hash(password, bucket);
    if (!(await this.#deps.users.replaceHash(user.id, passwordHash, better))) {
      return this.#replacedHash(account, password, bucket);
    }
    await this.#deps.audit.insert({
      event: 'password_rehashed',
      outcome: 'success',
      actor: { kind: 'user', userId: user.id },
      subjectUserId: user.id,
      client,
    });
    return better;
  }

  /**
   * Returns the hash that replaced the verified one meanwhile, if it is of the same password; else the
   * verified one.
   */
  async #replacedHash(
    { user, passwordHash }: UserWithPassword,
    password: string,
    bucket: string,
  ): Promise<string | null> {
    const current = (await this.#deps.users.findWithPassword(user.id))?.passwordHash;
    if (!current || !(await this.#deps.passwords.verify(current, password, bucket))) return passwordHash;
    return current;
  }

  async #refuse(user: User | undefined, client: ClientInfo): Promise<never> {
    await this.#record(
      { outcome: 'failure', subjectUserId: user?.id, details: { method: 'password' } },
      client,
    );
    throw AuthError.unauthorized('The email or the password is wrong.', 'credentials_wrong');
  }

  async #record(
    refusal: Pick<AuditEvent, 'outcome' | 'details' | 'subjectUserId'>,
    client: ClientInfo,
  ): Promise<void> {
    await this.#deps.audit.insert({ event: 'login', actor: { kind: 'anonymous' }, client, ...refusal });
  }
}
