import type { Transaction } from '../storage/database.js';
import type { OutboxEntry } from './mail-kind.js';
import type { MailWorker } from './mail-worker.js';
import type { OutboxRepository } from './outbox-repository.js';

/** For a process that queues mail and sends none: the worker of the service checks the outbox at intervals. */
export const WORKER_ELSEWHERE: Pick<MailWorker, 'wake'> = { wake: () => undefined };

/** Queues mail for services as part of its cause; after the commit, `wake` sends it at once. */
export class Outbox {
  readonly #repository: OutboxRepository;
  readonly #worker: Pick<MailWorker, 'wake'> | undefined;

  /** @param worker undefined when no mail is delivered; then none is queued either, because it would only accumulate. */
  constructor(repository: OutboxRepository, worker: Pick<MailWorker, 'wake'> | undefined) {
    this.#repository = repository;
    this.#worker = worker;
  }

  /** True if queued mail is delivered. */
  get delivers(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Queues a mail as part of its cause: it exists when the transaction commits, and only then.
   * @param dueAt the earliest time of sending; defaults to now.
   */
  async enqueue(trx: Transaction, mail: OutboxEntry, dueAt?: Date): Promise<void> {
    if (this.#worker) await this.#repository.enqueue(trx, mail, dueAt);
  }

  /** Call it after a commit that queued mail. Without it the mail is delayed, never lost. */
  wake(): void {
    this.#worker?.wake();
  }
}
