import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Outbox } from '../mail/outbox.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import type { SignedInUser } from '../sessions/session.js';
import type { SessionEnder } from '../sessions/session-ender.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { passwordInput } from '../users/user-schema.js';
import { changePasswordInput, type ChangePasswordInput } from './login-schema.js';

/** A signed-in person's own password. */
export class PasswordService {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #passwords: PasswordHasher;
  readonly #policy: PasswordPolicy;
  readonly #throttle: AccountThrottle;
  readonly #ender: SessionEnder;
  readonly #outbox: Outbox;

  constructor(parts: {
    database: Database;
    users: UserRepository;
    passwords: PasswordHasher;
    policy: PasswordPolicy;
    throttle: AccountThrottle;
    ender: SessionEnder;
    outbox: Outbox;
  }) {
    this.#database = parts.database;
    this.#users = parts.users;
    this.#passwords = parts.passwords;
    this.#policy = parts.policy;
    this.#throttle = parts.throttle;
    this.#ender = parts.ender;
    this.#outbox = parts.outbox;
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
    const password = checkInput(passwordInput, currentPassword, 'currentPassword');
    await this.#throttle.check(caller.user.email, client.ipAddress);
    const passwordHash = (await this.#users.findWithPassword(caller.userId))?.passwordHash ?? null;
    const matches =
      passwordHash === null
        ? await this.#passwords.verifyDecoy(password)
        : await this.#passwords.verify(passwordHash, password);
    if (passwordHash !== null && matches) return passwordHash;
    await this.#throttle.recordFailure(caller.user.email, client.ipAddress);
    throw AuthError.unauthorized('The current password is wrong.');
  }

  /**
   * Changes the caller's password, ends their other sessions and tells them by mail.
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
    const newHash = await this.#passwords.hash(newPassword);
    const ended = await this.#database.transaction(async (trx) => {
      if (!(await this.#users.changePassword(caller.userId, oldHash, newHash, trx))) {
        throw AuthError.conflict('The password was changed by another request.');
      }
      await this.#outbox.enqueue(trx, {
        kind: 'password_changed',
        recipient: email,
        payload: { fullName: caller.user.fullName },
      });
      return this.#ender.endAllWithin(
        {
          userId: caller.userId,
          exceptSessionId: caller.sessionId,
          reason: 'password_changed',
          event: 'password_changed',
          actor: { kind: 'user', userId: caller.userId },
          client,
        },
        trx,
      );
    });
    await this.#ender.markEnded(ended);
    this.#outbox.wake();
    return { status: 'ok' };
  }
}
