import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { SignedInUser } from '../sessions/session.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { UserRepository } from '../users/user-repository.js';
import { passwordInput } from '../users/user-schema.js';
import { changePasswordInput, type ChangePasswordInput } from './login-schema.js';
import type { PasswordSetter } from './password-setter.js';

/** A signed-in person's own password. */
export class PasswordService {
  readonly #users: UserRepository;
  readonly #passwords: PasswordHasher;
  readonly #policy: PasswordPolicy;
  readonly #throttle: AccountThrottle;
  readonly #setter: PasswordSetter;

  constructor(parts: {
    users: UserRepository;
    passwords: PasswordHasher;
    policy: PasswordPolicy;
    throttle: AccountThrottle;
    setter: PasswordSetter;
  }) {
    this.#users = parts.users;
    this.#passwords = parts.passwords;
    this.#policy = parts.policy;
    this.#throttle = parts.throttle;
    this.#setter = parts.setter;
  }

  /**
   * The hash that `password` was checked against. Guesses count against the account like those at sign-in.
   * @throws AuthError `validation_error`, `unauthorized` when the password is wrong, `rate_limited`.
   */
  async confirm(
    caller: SignedInUser,
    currentPassword: string,
    client: ClientInfo = unknownClient,
  ): Promise<string> {
    const bucket = ipBucket(client.ipAddress);
    this.#passwords.assertRoom(bucket);
    const password = checkInput(passwordInput, currentPassword, 'currentPassword');
    await this.#throttle.check(caller.user.email, client.ipAddress);
    const passwordHash = (await this.#users.findWithPassword(caller.userId))?.passwordHash ?? null;
    const matches =
      passwordHash === null
        ? await this.#passwords.verifyDecoy(password, caller.user.email, bucket)
        : await this.#passwords.verify(passwordHash, password, bucket);
    if (passwordHash !== null && matches) return passwordHash;
    await this.#throttle.recordFailure(caller.user.email, client.ipAddress);
    throw AuthError.unauthorized('The current password is wrong.');
  }

  /**
   * Changes the caller's password, ends their other sessions, revokes every reset link and notifies them by mail. The
   * caller's own session goes on, with the tokens it has.
   * @throws AuthError `unauthorized` for a wrong current password, `validation_error`, also for a new one that breaks
   * the policy, `rate_limited`, `conflict` when another change was faster.
   */
  async change(
    caller: SignedInUser,
    input: ChangePasswordInput,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    const { currentPassword, newPassword } = checkInput(changePasswordInput, input);
    const { email } = caller.user;
    const oldHash = await this.confirm(caller, currentPassword, client);
    this.#policy.check(newPassword, { email });
    await this.#setter.set({
      userId: caller.userId,
      passwordHash: await this.#passwords.hash(newPassword, ipBucket(client.ipAddress)),
      replaces: oldHash,
      exceptSessionId: caller.sessionId,
      removePasskeys: false,
      reason: 'password_changed',
      event: 'password_changed',
      actor: { kind: 'user', userId: caller.userId },
      client,
    });
    return { status: 'ok' };
  }
}
