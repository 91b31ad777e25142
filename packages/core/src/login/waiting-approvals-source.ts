import type { MailSource } from '../mail/mail-source.js';
import type { WaitingApprovals } from '../mail/messages/approval-waiting.js';
import type { UserRepository } from '../users/user-repository.js';

/** Counts the registrations that wait for approval when the mail about them is sent. */
export class WaitingApprovalsSource implements MailSource<'approval_waiting'> {
  readonly #users: UserRepository;

  constructor(users: UserRepository) {
    this.#users = users;
  }

  /** Returns the count, or `skip` when every registration has been decided. */
  async complete(): Promise<WaitingApprovals | 'skip'> {
    const waiting = await this.#users.countPending();
    return waiting === 0 ? 'skip' : { waiting };
  }
}
