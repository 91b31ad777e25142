import type { Outbox } from '../mail/outbox.js';
import type { Transaction } from '../storage/database.js';
import type { ApprovalNoticeRepository } from './approval-notice-repository.js';

/** Notifies configured addresses that registrations wait for approval, each at most once an hour. */
export class ApprovalNotices {
  readonly #deps;

  constructor(deps: {
    readonly approvalNotices: ApprovalNoticeRepository;
    readonly outbox: Outbox;
    /** Canonical addresses; none turns the notices off. */
    readonly recipients: readonly string[];
  }) {
    this.#deps = deps;
  }

  /** Queues the notices as part of the transaction of a registration. */
  async enqueue(trx: Transaction): Promise<void> {
    if (this.#deps.recipients.length === 0 || !this.#deps.outbox.delivers) return;
    for (const { recipient, dueAt } of await this.#deps.approvalNotices.schedule(
      this.#deps.recipients,
      trx,
    )) {
      await this.#deps.outbox.enqueue(trx, { kind: 'approval_waiting', recipient, payload: {} }, dueAt);
    }
  }
}
