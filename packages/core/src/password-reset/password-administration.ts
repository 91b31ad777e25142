import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { SessionEnder } from '../sessions/session-ender.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { toUserView, type MachineUserView } from '../users/user-schema.js';
import type { PasswordResetRepository } from './password-reset-repository.js';
import { passwordToSetInput, type PasswordToSet } from './password-reset-schema.js';

/**
 * What was done, with the user as they are now.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const input = { password: 'another long walk home' };
 * const done: PasswordSet = await kit.auth.passwordAdministration.set({ kind: 'operator', name: 'alice' }, id, input);
 * [done.endedSessions, done.removedPasskeys]; // → [1, 0]
 * ```
 */
export interface PasswordSet {
  user: MachineUserView;
  endedSessions: number;
  removedPasskeys: number;
}

/** Setting the password of somebody else, without the old one. For those whom no rank binds. */
export class PasswordAdministration {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #resets: PasswordResetRepository;
  readonly #passwords: Pick<PasswordHasher, 'hash'>;
  readonly #policy: PasswordPolicy;
  readonly #ender: SessionEnder;
  readonly #outbox: Outbox;

  constructor(parts: {
    database: Database;
    users: UserRepository;
    resets: PasswordResetRepository;
    passwords: Pick<PasswordHasher, 'hash'>;
    policy: PasswordPolicy;
    ender: SessionEnder;
    outbox: Outbox;
  }) {
    this.#database = parts.database;
    this.#users = parts.users;
    this.#resets = parts.resets;
    this.#passwords = parts.passwords;
    this.#policy = parts.policy;
    this.#ender = parts.ender;
    this.#outbox = parts.outbox;
  }

  /**
   * Sets a password and ends what the old one may have opened: all sessions, access tokens and outstanding reset
   * links. The user is told by mail. Whether they may sign in stays as it is.
   * @throws AuthError `not_found`, `validation_error` (password policy).
   */
  async set(
    actor: TrustedActor,
    userId: string,
    input: PasswordToSet,
    client: ClientInfo = unknownClient,
  ): Promise<PasswordSet> {
    userId = checkId(userId, 'userId');
    const { password, removePasskeys } = checkInput(passwordToSetInput, input);
    const user = await this.#users.findById(userId);
    if (!user) throw AuthError.notFound('The user');
    this.#policy.check(password, { email: user.email });
    const passwordHash = await this.#passwords.hash(password);
    const change = { userId, passwordHash, removePasskeys, actor, client };
    const { ended, ...done } = await this.#database.transaction((trx) => this.#apply(change, trx));
    await this.#ender.markEnded(ended);
    this.#outbox.wake();
    return { ...done, endedSessions: ended.length };
  }

  /** The user's row is written first: a reset or a sign-in that runs meanwhile comes before or after all of it. */
  async #apply(change: Change, trx: Transaction) {
    const { userId, actor, client } = change;
    const user = await this.#users.resetPassword(userId, change.passwordHash, trx);
    if (!user) throw AuthError.notFound('The user');
    await this.#users.killResetTokens(userId, trx);
    const removedPasskeys = change.removePasskeys ? await this.#resets.removePasskeys(userId, trx) : 0;
    await this.#outbox.enqueue(trx, {
      kind: 'password_changed',
      recipient: user.email,
      payload: { fullName: user.fullName },
    });
    const ended = await this.#ender.endAllWithin(
      {
        userId,
        reason: 'password_changed',
        event: 'password_changed',
        actor,
        client,
        details: { removedPasskeys },
      },
      trx,
    );
    return { user: toUserView(user), ended, removedPasskeys };
  }
}

interface Change {
  userId: string;
  passwordHash: string;
  removePasskeys: boolean;
  actor: TrustedActor;
  client: ClientInfo;
}
