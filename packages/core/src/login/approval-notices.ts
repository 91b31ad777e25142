import type { WaitingApprovals } from '../mail/mail-secret-source.js';
import type { Outbox } from '../mail/outbox.js';
import type { Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { ApprovalNoticeRepository } from './approval-notice-repository.js';

/** Tells configured addresses that registrations wait for approval, each at most once an hour. */
export class ApprovalNotices {
  readonly #users: UserRepository;
  readonly #notices: ApprovalNoticeRepository;
  readonly #outbox: Outbox;
  readonly #recipients: readonly string[];

  /** @param options `recipients`: canonical addresses; none turns the notices off. */
  constructor(
    parts: { users: UserRepository; notices: ApprovalNoticeRepository; outbox: Outbox },
    options: { recipients: readonly string[] },
  ) {
    this.#users = parts.users;
    this.#notices = parts.notices;
    this.#outbox = parts.outbox;
    this.#recipients = options.recipients;
  }

  /** Queues the mails as part of a registration that waits. */
  async somebodyWaits(trx: Transaction): Promise<void> {
    if (this.#recipients.length === 0 || !this.#outbox.delivers) return;
    for (const { recipient, dueAt } of await this.#notices.schedule(this.#recipients, trx)) {
      await this.#outbox.enqueue(trx, { kind: 'approval_waiting', recipient, payload: {} }, dueAt);
    }
  }

  /** Counts who waits when a mail is due; `skip` when everybody was decided on meanwhile. */
  async count(): Promise<WaitingApprovals | 'skip'> {
    const waiting = await this.#users.countPending();
    return waiting === 0 ? 'skip' : { waiting };
  }
}
