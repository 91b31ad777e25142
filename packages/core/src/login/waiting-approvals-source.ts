import type { MailSource } from '../mail/mail-source.js';
import type { WaitingApprovals } from '../mail/messages/approval-waiting.js';
import type { EmailVerification } from '../settings/email-verification.js';
import type { UserQueries } from '../users/user-queries.js';

/** Counts the registrations that can be decided on when the mail about them is sent. */
export class WaitingApprovalsSource implements MailSource<'approval_waiting'> {
  readonly #users: UserQueries;
  readonly #onlyProved: boolean;

  constructor(users: UserQueries, options: { emailVerification: EmailVerification }) {
    this.#users = users;
    this.#onlyProved = options.emailVerification === 'required';
  }

  /** Returns the count, or `skip` when every registration has been decided. */
  async complete(): Promise<WaitingApprovals | 'skip'> {
    const waiting = await this.#users.countPending({ onlyProved: this.#onlyProved });
    return waiting === 0 ? 'skip' : { waiting };
  }
}
