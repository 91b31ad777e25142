import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { digestOf } from '../kernel/secret.js';
import type { Outbox } from '../mail/outbox.js';
import { lastCompanySuperadmin } from '../memberships/company-authority.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { DeletionLinkRepository } from '../users/deletion-link-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import {
  sendUndoInput,
  undoDeletionInput,
  type RequestedDeletion,
  type SendUndo,
  type UndoDeletion,
} from './account-deletion-schema.js';

/** Users without a second factor prove who they are by a recent sign-in. */
const PROOF = 'sign-in';
/** Days in which a deletion can be undone. */
const DAYS_TO_UNDO = 7;

interface AccountDeletionServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly deletionLinks: DeletionLinkRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly credentialStepUp: CredentialStepUp;
  readonly sessionRevoker: SessionRevoker;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/**
 * Deletes accounts for their users. For seven days the account is inactive and a mailed link undoes the deletion; then the personal data is
 * erased (`UserErasure.eraseDue`).
 */
export class AccountDeletionService {
  readonly #deps: AccountDeletionServiceDeps;

  constructor(deps: AccountDeletionServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Requests the deletion of the caller's account and queues the mail with the link that undoes it. All sessions and personal API keys end
   * at once, and no way in works any more. Of simultaneous requests one succeeds.
   * @throws AuthError `reauthentication_required` unless the sign-in or step-up is at most 15 minutes old, and that by a second factor of a
   * user who has one; `forbidden` while an actor acts for the user; `session_revoked`; `conflict` for staff, for the last
   * `TENANT_SUPERADMIN` of a company, and where no mail is delivered.
   */
  async request(caller: SignedInUser, client: ClientInfo = unknownClient): Promise<RequestedDeletion> {
    await this.#deps.credentialStepUp.assert(caller, PROOF);
    if (!this.#deps.outbox.delivers) {
      throw AuthError.conflict(
        'No mail is delivered, so the deletion could not be undone. Ask an administrator to delete the account.',
        'mail_not_configured',
      );
    }
    return this.#deps.database.transaction(async (trx) => {
      await this.#assertMayGo(caller.userId, trx);
      const user = await this.#deps.credentialStepUp.lock(caller, PROOF, trx);
      const deleteAt = await this.#deps.users.requestDeletion(user.id, DAYS_TO_UNDO, trx);
      if (!deleteAt) throw deletionOfStaff();
      await this.#close(user, { deleteAt: deleteAt.toISOString(), client }, trx);
      return { deleteAt: deleteAt.toISOString() };
    });
  }

  /** Throws for the last superadmin of a company. Locks the user, so that their memberships stay as they are. */
  async #assertMayGo(userId: string, trx: Transaction): Promise<void> {
    await this.#deps.users.lock([userId], trx);
    for (const companyId of await this.#deps.membershipWrites.companiesOfSuperadmin(userId, trx)) {
      if (!(await this.#deps.membershipWrites.hasOtherSuperadmin({ companyId, userId }, trx)))
        throw lastCompanySuperadmin();
    }
  }

  /** Ends what the account can do, and mails the link. */
  async #close(
    { id: userId, email: recipient, fullName }: User,
    { deleteAt, client }: { deleteAt: string; client: ClientInfo },
    trx: Transaction,
  ): Promise<void> {
    const by = { actor: { kind: 'user', userId }, client } as const;
    const payload = { userId, fullName };
    await this.#deps.outbox.enqueue(trx, { kind: 'account_deletion', recipient, payload });
    await this.#deps.sessionRevoker.revokeAllWithin(
      { userId, reason: 'deletion_requested', event: 'deletion_requested', ...by, details: { deleteAt } },
      trx,
    );
  }

  /**
   * Undoes a deletion with the token of its mail: the user can sign in again. Memberships, passkeys, second factors and accounts at other
   * services are there as before, and so are invitations by the user; sessions and personal API keys stay ended.
   * @throws AuthError `validation_error` for a token that is unknown, used or expired, and for one of an earlier deletion.
   */
  async undo(input: UndoDeletion, client: ClientInfo = unknownClient): Promise<StatusOk> {
    const tokenDigest = digestOf(checkInput(undoDeletionInput, input).token);
    const userId = await this.#deps.deletionLinks.ownerOf(tokenDigest);
    if (userId === undefined) throw unusableToken();
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([userId], trx);
      if (!(await this.#deps.deletionLinks.spend(tokenDigest, trx))) throw unusableToken();
      await this.#deps.users.undoDeletion(userId, trx);
      await this.#deps.deletionLinks.removeAll(userId, trx);
      const about = { actor: { kind: 'user', userId }, subjectUserId: userId, client } as const;
      await this.#deps.audit.insert({ event: 'deletion_undone', outcome: 'success', ...about }, trx);
    });
    return { status: 'ok' };
  }

  /**
   * Sends the link again. A known and an unknown email run the same statements, so neither response nor time tells them apart; whether the
   * mail has a recipient is decided when it is due.
   * @throws AuthError `validation_error`.
   */
  async sendLink(input: SendUndo, client: ClientInfo = unknownClient): Promise<StatusOk> {
    const { email } = checkInput(sendUndoInput, input);
    const user = await this.#deps.users.findByEmail(email);
    const payload = { userId: user?.id ?? null, fullName: user?.fullName ?? null };
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.outbox.enqueue(trx, { kind: 'account_deletion', recipient: email, payload });
      const about = { actor: { kind: 'anonymous' }, subjectUserId: user?.id, client } as const;
      await this.#deps.audit.insert({ event: 'deletion_link_requested', outcome: 'success', ...about }, trx);
    });
    return { status: 'ok' };
  }
}

const deletionOfStaff = (): AuthError =>
  AuthError.conflict(
    'Staff cannot delete their own account. Ask a superadmin to remove your role first.',
    'deletion_of_staff',
  );

const unusableToken = (): AuthError =>
  AuthError.validation('token: is unknown, used or expired; sign in to have the link sent again', {
    reason: 'deletion_token_invalid',
    fields: [{ pointer: '/token', reason: 'not_allowed', message: 'is unknown, used or expired' }],
  });
