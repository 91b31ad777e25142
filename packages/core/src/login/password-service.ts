import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput, checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import { passwordInput } from '../users/user-schema.js';
import type { ConfirmationService } from './confirmation-service.js';
import type { CurrentPassword } from './current-password.js';
import { changePasswordInput, type ChangePasswordInput } from './login-schema.js';
import type { PasswordSetter } from './password-setter.js';

interface PasswordServiceDeps {
  readonly passwords: PasswordHasher;
  readonly currentPassword: CurrentPassword;
  readonly policy: PasswordPolicy;
  readonly confirmations: ConfirmationService;
  readonly setter: PasswordSetter;
  readonly credentialStepUp: CredentialStepUp;
}

/** Confirms and changes the password of the caller. */
export class PasswordService {
  readonly #deps: PasswordServiceDeps;

  constructor(deps: PasswordServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the hash that the password was verified against. Wrong passwords count for the caller's session.
   * @throws AuthError `validation_error`, `unauthorized` when the password is wrong, `rate_limited` while
   * another confirmation of the session is running, `session_revoked` when too many were wrong, `forbidden` while an actor
   * acts for the user.
   */
  async confirm(
    caller: SignedInUser,
    currentPassword: string,
    client: ClientInfo = unknownClient,
  ): Promise<string> {
    assertNotActing(caller);
    this.#deps.currentPassword.assertCapacity(client);
    const password = checkInput(passwordInput, currentPassword, 'currentPassword');
    const confirmation = { caller, client, event: 'password_confirmation' } as const;
    const passwordHash = await this.#deps.confirmations.run(confirmation, () =>
      this.#deps.currentPassword.match(caller, password, client),
    );
    if (passwordHash !== undefined) return passwordHash;
    throw AuthError.unauthorized('The current password is wrong.', 'current_password_wrong');
  }

  /**
   * Changes the caller's password, ends their other sessions, revokes every reset link and notifies them by mail. The
   * caller's own session goes on, with the tokens it has.
   * @throws AuthError `unauthorized` for a wrong current password, `validation_error`, also for a new one that breaks
   * the policy, `reauthentication_required` for a user with a second factor who did not prove it lately, `rate_limited`,
   * `conflict` when another change was faster, `session_revoked`, `forbidden` while an actor acts for the user.
   */
  async change(
    caller: SignedInUser,
    input: ChangePasswordInput,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    assertNotActing(caller);
    const context = { field: 'newPassword', email: caller.user.email };
    const { currentPassword, newPassword } = await checkInputAlongside(changePasswordInput, input, () =>
      this.#deps.policy.faultsIn(input, context),
    );
    await this.#deps.credentialStepUp.assert(caller, 'nothing');
    const oldHash = await this.confirm(caller, currentPassword, client);
    await this.#deps.policy.check(newPassword, context);
    await this.#deps.setter.set({
      userId: caller.userId,
      passwordHash: await this.#deps.passwords.hash(newPassword, ipBucket(client.ipAddress)),
      replaces: oldHash,
      exceptSessionId: caller.sessionId,
      removePasskeys: false,
      reason: 'password_changed',
      event: 'password_changed',
      actor: { kind: 'user', userId: caller.userId },
      client,
      precondition: async (_user, trx) => {
        await this.#deps.credentialStepUp.lock(caller, 'nothing', trx);
        return false;
      },
    });
    return { status: 'ok' };
  }
}
