import type { z } from 'zod';
import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { createUserInput, toUserView, type MachineUserView } from '../users/user-schema.js';
import type { User } from '../users/user.js';
import { decisionMail } from './decision-mail.js';
import { roleNotice } from './role-notice.js';
import type { NewPasswords } from './user-administration.js';
import { describeChange } from './user-change.js';

/** Input of the first superadmin. */
export type FirstSuperadmin = z.input<typeof firstSuperadminInput>;
const firstSuperadminInput = createUserInput.pick({ email: true, fullName: true, password: true });

/** The new superadmin, or the existing one; then nothing was written. */
export type BootstrapOutcome = { superadmin: MachineUserView; isNew: boolean };

const SUPERADMIN_STATUS = {
  globalRole: 'PLATFORM_SUPERADMIN',
  approvalStatus: 'APPROVED',
  isActive: true,
} as const;

interface BootstrapDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly passwords: NewPasswords;
  readonly policy: PasswordPolicy;
  readonly sessionRevoker: SessionRevoker;
  readonly outbox: Outbox;
  /** True if users are notified of a new role. */
  readonly notices: SecurityNotices;
  readonly audit: AuditRepository;
}

/** Creates the first superadmin of an installation. Of simultaneous calls one succeeds. */
export class Bootstrap {
  readonly #deps: BootstrapDeps;

  constructor(deps: BootstrapDeps) {
    this.#deps = deps;
  }

  /** Returns the oldest active superadmin; undefined while there is none. */
  async superadmin(): Promise<MachineUserView | undefined> {
    const user = await this.#deps.users.findSuperadmin();
    return user && toUserView(user);
  }

  /**
   * Adds a superadmin unless there is an active one.
   * @throws AuthError `validation_error` (password policy), `conflict` (email taken).
   */
  async create(
    actor: TrustedActor,
    input: FirstSuperadmin,
    client: ClientInfo = unknownClient,
  ): Promise<BootstrapOutcome> {
    const { email, fullName, password } = await checkInputAlongside(firstSuperadminInput, input, () =>
      this.#deps.policy.faultsIn(input),
    );
    assertHoldsScope(actor, 'users:privileged');
    if (password !== undefined) await this.#deps.policy.check(password, { email });
    const passwordHash = password === undefined ? null : await this.#deps.passwords.hash(password);
    const fields = { email, fullName, authProvider: 'password', passwordHash, legacyIds: {} } as const;
    return this.#unlessThereIsOne(async (trx) => {
      const user = await this.#deps.users.insert(
        { ...fields, ...SUPERADMIN_STATUS, isEmailVerified: true },
        trx,
      );
      await this.#record('user_created', { actor, user, client }, trx);
      return user;
    });
  }

  /**
   * Makes an existing user an approved, active superadmin unless there is one; their password stays. Sessions in which an
   * actor acts for the user end.
   * @throws AuthError `not_found`.
   */
  async promote(
    actor: TrustedActor,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<BootstrapOutcome> {
    userId = checkId(userId, 'userId');
    assertHoldsScope(actor, 'users:privileged');
    return this.#unlessThereIsOne(async (trx) => {
      const target = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (!target) throw AuthError.notFound('The user', 'user_not_found');
      const { events, raisesTokenVersion, decision } = describeChange(target, SUPERADMIN_STATUS);
      const user = await this.#deps.users.update(
        userId,
        SUPERADMIN_STATUS,
        { raiseTokenVersion: raisesTokenVersion },
        trx,
      );
      for (const event of events) await this.#record(event, { actor, user, client }, trx);
      if (decision) await this.#deps.outbox.enqueue(trx, decisionMail(decision, user));
      const notice = roleNotice(target, user);
      if (notice) await this.#deps.notices.enqueue(trx, notice);
      await this.#deps.sessionRevoker.revokeActedWithin({ userId, byThem: false, actor, client }, trx);
      await this.#deps.sessionRevoker.outdateWithin(userId, trx);
      return user;
    });
  }

  /**
   * Runs the work unless there is an active superadmin. The check holds the lock until the work is committed.
   */
  async #unlessThereIsOne(work: (trx: Transaction) => Promise<User>): Promise<BootstrapOutcome> {
    return this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lockSuperadmins(trx);
      const existing = await this.#deps.users.findSuperadmin(trx);
      const superadmin = toUserView(existing ?? (await work(trx)));
      return { superadmin, isNew: !existing };
    });
  }

  async #record(
    event: AuditEventName,
    { actor, user, client }: { actor: TrustedActor; user: User; client: ClientInfo },
    trx: Transaction,
  ): Promise<void> {
    const details = { ...SUPERADMIN_STATUS, bootstrap: true };
    await this.#deps.audit.insert(
      { event, outcome: 'success', actor, subjectUserId: user.id, client, details },
      trx,
    );
  }
}
