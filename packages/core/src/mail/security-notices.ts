import type { Transaction } from '../storage/database.js';
import type { OutboxEntry } from './mail-kind.js';
import type { Outbox } from './outbox.js';

/** The mails that `SECURITY_NOTICES` turns off. */
export type SecurityNotice = Extract<
  OutboxEntry,
  {
    kind:
      | 'role_changed'
      | 'factor_added'
      | 'factor_removed'
      | 'trusted_device_added'
      | 'recovery_code_used'
      | 'wrong_codes'
      | 'acted_for'
      | 'api_key_created'
      | 'identity_linked'
      | 'identity_unlinked';
  }
>;

/** Notifies users of changes that concern the security of their account, unless the operator has turned that off. */
export class SecurityNotices {
  readonly #outbox: Outbox;
  readonly #enabled: boolean;

  constructor(outbox: Outbox, enabled: boolean) {
    this.#outbox = outbox;
    this.#enabled = enabled;
  }

  /** True if notices are delivered. */
  get delivers(): boolean {
    return this.#enabled && this.#outbox.delivers;
  }

  /** Queues a notice as part of its cause. */
  async enqueue(trx: Transaction, notice: SecurityNotice): Promise<void> {
    if (this.#enabled) await this.#outbox.enqueue(trx, notice);
  }

  /** Sends notices after the commit that a statement of another repository has queued. */
  sendQueued(trx?: Transaction): void {
    this.#outbox.sendQueued(trx);
  }
}
