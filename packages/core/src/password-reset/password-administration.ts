import { actorOf, lockForAction, type Administrator } from '../admin/administrator.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database } from '../storage/database.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import { toUserView, type MachineUserView } from '../users/user-schema.js';
import { assertNotErased, maySignIn, type User } from '../users/user.js';
import { passwordToSetInput, type PasswordToSet } from './password-reset-schema.js';

/** The result of setting a password, with the user as they are now. */
export interface PasswordSet {
  user: MachineUserView;
  endedSessions: number;
  removedPasskeys: number;
}

interface PasswordAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly policy: PasswordPolicy;
  readonly setter: PasswordSetter;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/** Sets passwords of other users without the old one, for trusted actors, and sends users the mail that resets theirs. */
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
  /**
   * Queues the mail with the link that resets the password of a user, as their own request does. The limit of these
   * mails is that of requests: one more than it allows is skipped when it is due.
   * @throws AuthError `not_found`; `forbidden` for a user whose role may not, or does not reach this user; `conflict`
   * when the user may not sign in or is erased, and when no mail is delivered.
   */
  async sendReset(
    administrator: Administrator,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    userId = checkId(userId);
    await this.#deps.database.transaction(async (trx) => {
      const wanted = { administrator, action: 'send-mail', userId } as const;
      const user = await lockForAction(this.#deps.users, wanted, trx);
      assertMachineMayWriteTo(actorOf(administrator), user);
      this.#assertResettable(user);
      const payload = { userId, fullName: user.fullName };
      await this.#deps.outbox.enqueue(trx, { kind: 'password_reset', recipient: user.email, payload });
      const about = { actor: actorOf(administrator), subjectUserId: userId, client };
      await this.#deps.audit.insert({ event: 'password_reset_requested', outcome: 'success', ...about }, trx);
    });
    return { status: 'ok' };
  }

  #assertResettable(user: User): void {
    assertNotErased(user);
    if (!maySignIn(user)) {
      throw AuthError.conflict(
        'This user may not sign in, so no mail would be sent. Approve and activate the user first.',
        'sign_in_not_allowed',
      );
    }
    if (!this.#deps.outbox.delivers) {
      throw AuthError.conflict('No mail is delivered. Set SMTP_URL and MAIL_FROM.', 'mail_not_configured');
    }
  }
}
