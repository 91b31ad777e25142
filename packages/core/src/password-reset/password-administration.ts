import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import { toUserView, type MachineUserView } from '../users/user-schema.js';
import { passwordToSetInput, type PasswordToSet } from './password-reset-schema.js';

/**
 * The result of setting a password, with the user as they are now.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const input = { password: 'another long walk home' };
 * const done: PasswordSet = await kit.auth.admin.passwords.set({ kind: 'operator', name: 'alice' }, id, input);
 * [done.endedSessions, done.removedPasskeys]; // → [1, 0]
 * ```
 */
export interface PasswordSet {
  user: MachineUserView;
  endedSessions: number;
  removedPasskeys: number;
}

interface PasswordAdministrationDeps {
  readonly users: UserRepository;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly policy: PasswordPolicy;
  readonly setter: PasswordSetter;
}

/** Sets passwords of other users without the old one, for trusted actors. */
export class PasswordAdministration {
  readonly #deps: PasswordAdministrationDeps;

  constructor(deps: PasswordAdministrationDeps) {
    this.#deps = deps;
  }

  /**
   * Sets a password and invalidates what the old one may have created: all sessions, access tokens and
   * outstanding links. The user is notified by mail. Their approval and activity stay as they are.
   * @throws AuthError `forbidden` for a machine without the scope, `not_found`, `validation_error` (password policy).
   */
  async set(
    actor: TrustedActor,
    userId: string,
    input: PasswordToSet,
    client: ClientInfo = unknownClient,
  ): Promise<PasswordSet> {
    userId = checkId(userId, 'userId');
    const { password, removePasskeys } = await checkInputAlongside(passwordToSetInput, input, () =>
      this.#deps.policy.faultsIn(input),
    );
    assertHoldsScope(actor, 'users:privileged');
    const user = await this.#deps.users.findById(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    await this.#deps.policy.check(password, { email: user.email });
    const change = await this.#deps.setter.set({
      userId,
      passwordHash: await this.#deps.passwords.hash(password, client.ipAddress ?? undefined),
      removePasskeys,
      reason: 'password_changed',
      event: 'password_changed',
      actor,
      client,
    });
    return { ...change, user: toUserView(change.user) };
  }
}
