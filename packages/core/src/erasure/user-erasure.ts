import { actorOf, lockedAdministrator, type Administrator } from '../admin/administrator.js';
import type { StaffStepUp } from '../admin/staff-step-up.js';
import type { AuditErasureRepository } from '../audit/audit-erasure-repository.js';
import type { KnownCompanyRepository } from '../companies/known-company-repository.js';
import type { InvitationRepository } from '../invitations/invitation-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { AccountRemoval } from '../login/account-removal.js';
import type { ApprovalNoticeRepository } from '../login/approval-notice-repository.js';
import type { OutboxRepository } from '../mail/outbox-repository.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import type { AccountTraces } from '../rate-limits/account-traces.js';
import type { SessionRepository } from '../sessions/session-repository.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMayActOn } from '../users/authority.js';
import type { RemovedEmailChange } from '../users/email-change-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn, type User } from '../users/user.js';
import { erasedUser, eraseUserInput, type ErasedUser } from './erasure-schema.js';

/** A shorter text would also occur by chance. */
const SHORTEST = 4;

/** Returns the texts that identify a person, as JSON spells them. */
function personTerms(user: User, emails: readonly string[]): string[] {
  const { fullName, phoneNumber, profilePictureUrl, legacyIds } = user;
  const texts = [...emails, fullName, phoneNumber, profilePictureUrl, ...Object.values(legacyIds)];
  return texts
    .filter((text): text is string => text !== null && text.length >= SHORTEST)
    .flatMap((text) => [...new Set([text, text.toLowerCase(), text.toUpperCase(), titleCase(text)])])
    .map((text) => JSON.stringify(text).slice(1, -1));
}

/** A database whose character type is C folds ASCII letters only, so the usual spellings are given. */
const titleCase = (text: string): string =>
  text.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());

/** The author of erasures that users have asked for. */
const BY_ITSELF: Administrator = { kind: 'machine', name: 'account-deletion' };
/** Accounts whose erasures follow each other without another look-up. */
const BATCH = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface UserErasureDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly removal: AccountRemoval;
  readonly openInvitations: OpenInvitations;
  readonly invitations: InvitationRepository;
  readonly knownCompanies: KnownCompanyRepository;
  readonly mails: OutboxRepository;
  readonly approvalNotices: ApprovalNoticeRepository;
  readonly sessions: SessionRepository;
  readonly sessionRevoker: SessionRevoker;
  readonly auditErasures: AuditErasureRepository;
  readonly accountTraces: AccountTraces;
  readonly staffStepUp: StaffStepUp;
}

/** Author, client and reason of an erasure. */
interface Cause {
  administrator: Administrator;
  client: ClientInfo;
  reason: string;
}

/**
 * Erases the personal data of users. Rows that name a user by id keep the id: the user's own row stays as a tombstone, which
 * never changes again. Everything is overwritten in one transaction, and whatever began before it finds the tombstone.
 */
export class UserErasure {
  readonly #deps: UserErasureDeps;

  constructor(deps: UserErasureDeps) {
    this.#deps = deps;
  }

  /**
   * Erases a user: profile, sign-in, memberships, invitations, mails and the traces in sessions and audit rows. All sessions
   * end at once. The address is free again. A second call changes nothing and returns the same.
   * @param reason for the audit log, at most 500 characters. It is kept, so it must not name the person.
   * @throws AuthError `validation_error`, `not_found`, `forbidden` for anyone but superadmins, operators and machines with
   * the scope `users:privileged`, and for the user themselves; `reauthentication_required` for a superadmin whose sign-in
   * is too old; `conflict` for the last active superadmin.
   */
  async erase(
    administrator: Administrator,
    userId: string,
    reason: string,
    client: ClientInfo = unknownClient,
  ): Promise<ErasedUser> {
    userId = checkId(userId);
    ({ reason } = checkInput(eraseUserInput, { reason }));
    const tombstone = await this.#deps.database.transaction(async (trx) => {
      const user = await this.#lockTarget(administrator, userId, trx);
      return user.erasedAt ? user : this.#eraseLocked(user, { administrator, client, reason }, trx);
    });
    return erasedUser.parse({ status: 'ok', id: userId, erasedAt: tombstone.erasedAt?.toISOString() });
  }

  /**
   * Erases the accounts whose users have deleted them and can no longer undo it, each in a transaction of its own. Any number of processes
   * may do so at once: each account is erased by one of them. The service does it every 15 minutes; call it where no timer runs.
   * @returns the number of erased accounts.
   * @throws AuthError the first failure, after the other accounts were tried.
   */
  async eraseDue(): Promise<number> {
    let erased = 0;
    const failures: unknown[] = [];
    let ids = await this.#deps.users.findDueDeletions(FIRST_ID, BATCH);
    while (ids.length > 0) {
      for (const id of ids) {
        try {
          if (await this.#eraseOneDue(id)) erased += 1;
        } catch (error) {
          failures.push(error);
        }
      }
      ids = await this.#deps.users.findDueDeletions(ids.at(-1) ?? FIRST_ID, BATCH);
    }
    if (failures.length > 0) throw failures[0];
    return erased;
  }

  async #eraseOneDue(userId: string): Promise<boolean> {
    return this.#deps.database.transaction(async (trx) => {
      const user = await this.#deps.users.lockDueDeletion(userId, trx);
      if (!user) return false;
      const reason = 'The user deleted the account.';
      await this.#eraseLocked(user, { administrator: BY_ITSELF, client: unknownClient, reason }, trx);
      return true;
    });
  }

  /** Takes the locks in the order of every write: superadmins, users; then judges the administrator by their row. */
  async #lockTarget(administrator: Administrator, userId: string, trx: Transaction): Promise<User> {
    await this.#deps.users.lockSuperadmins(trx);
    const isPerson = administrator.kind === 'user';
    const locked = await this.#deps.users.lock(isPerson ? [userId, administrator.userId] : [userId], trx);
    const target = locked.get(userId);
    if (!isPerson) assertHoldsScope(administrator, 'users:privileged');
    if (!target) throw AuthError.notFound('The user', 'user_not_found');
    if (isPerson) {
      assertMayActOn(lockedAdministrator(administrator, locked), 'erase', target);
      this.#deps.staffStepUp.assertRecent(administrator);
    }
    const isSuperadmin = target.globalRole === 'PLATFORM_SUPERADMIN' && maySignIn(target);
    if (isSuperadmin && (await this.#deps.users.countOtherSuperadmins(userId, trx)) === 0)
      throw lastSuperadmin();
    return target;
  }

  async #eraseLocked(user: User, cause: Cause, trx: Transaction): Promise<User> {
    const { id: userId } = user;
    await this.#deps.removal.fence(userId, trx);
    const { tombstone, emailChanges, counts } = await this.#deps.removal.remove(userId, trx);
    const { addresses, ...messages } = await this.#removeMessages(user, emailChanges, cause, trx);
    const audit = await this.#deps.auditErasures.forget({ userId, terms: personTerms(user, addresses) }, trx);
    const erased = { ...counts, ...messages, auditRows: audit.rows };
    await this.#deps.sessionRevoker.revokeAllWithin(
      {
        userId,
        reason: 'erased',
        event: 'personal_data_erased',
        actor: actorOf(cause.administrator),
        client: cause.client,
        details: { statedReason: cause.reason, erased },
      },
      trx,
    );
    const ipAddresses = [...audit.ipAddresses, ...(await this.#deps.sessions.forgetClients(userId, trx))];
    this.#deps.database.afterCommit(trx, () => this.#deps.accountTraces.forget(addresses, ipAddresses));
    return tombstone;
  }

  /** Removes invitations to and by the user, and mails. @returns the addresses of the user, and counts. */
  async #removeMessages(
    { id: userId, email }: User,
    changes: readonly RemovedEmailChange[],
    { administrator, client }: Cause,
    trx: Transaction,
  ) {
    const former = [
      ...changes.flatMap(({ oldEmail, newEmail }) => (oldEmail === null ? [] : [oldEmail, newEmail])),
      ...(await this.#deps.invitations.addressesOfAccepter(userId, trx)),
      ...(await this.#deps.mails.addressesOf(userId, trx)),
    ];
    const addresses = await this.#deps.users.withoutThoseOfOthers([email, ...former], userId, trx);
    await this.#deps.openInvitations.withdraw(userId, { actor: actorOf(administrator), client }, trx);
    const companyIds = await this.#deps.invitations.removeTo(userId, addresses, trx);
    const made = await this.#deps.invitations.forgetInviter(userId, trx);
    await this.#deps.knownCompanies.forgetNames({ userId, companyIds }, trx);
    const mails = await this.#deps.mails.removeAllOf(
      {
        userId,
        addresses,
        emailChanges: { ids: changes.map(({ id }) => id), emails: changes.map(({ newEmail }) => newEmail) },
        invitations: { ids: made.map(({ id }) => id), emails: made.map(({ email: invited }) => invited) },
      },
      trx,
    );
    await this.#deps.approvalNotices.remove(addresses, trx);
    return { addresses, invitations: companyIds.length, mails, emailChanges: changes.length };
  }
}

const lastSuperadmin = (): AuthError =>
  AuthError.conflict(
    'The last active superadmin cannot be erased. Appoint another one first.',
    'last_superadmin',
  );
