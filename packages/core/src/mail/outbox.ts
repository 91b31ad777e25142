import type { Database, Transaction } from '../storage/database.js';
import type { OutboxEntry } from './mail-kind.js';
import type { MailWorker } from './mail-worker.js';
import type { OutboxRepository } from './outbox-repository.js';

/** For a process that queues mail and sends none: the worker of the service checks the outbox at intervals. */
export const WORKER_ELSEWHERE: Pick<MailWorker, 'wake'> = { wake: () => undefined };

/** Queues mail for services as part of its cause, and sends it after the commit. */
export class Outbox {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly mails: OutboxRepository;
    /** Undefined when no mail is delivered; then none is queued either, because it would only accumulate. */
    readonly worker: Pick<MailWorker, 'wake'> | undefined;
  }) {
    this.#deps = deps;
  }

  /** True if queued mail is delivered. */
  get delivers(): boolean {
    return this.#deps.worker !== undefined;
  }

  /**
   * Queues a mail as part of its cause: it exists when the transaction commits, and only then.
   * @param dueAt the earliest time of sending; defaults to now.
   */
  async enqueue(trx: Transaction, mail: OutboxEntry, dueAt?: Date): Promise<void> {
    if (!this.delivers) return;
    await this.#deps.mails.enqueue(trx, mail, dueAt);
    this.sendQueued(trx);
  }

  /**
   * Sends after the commit what another statement of the transaction has queued or made due. Without it the mail is delayed,
   * never lost.
   */
  sendQueued(trx?: Transaction): void {
    this.#deps.database.afterCommit(trx, () => this.#deps.worker?.wake());
  }
}
