import type { Transaction } from '../storage/database.js';
import type { OutboxEntry } from './mail-kind.js';
import type { MailWorker } from './mail-worker.js';
import type { OutboxRepository } from './outbox-repository.js';

/** For a process that queues mail and sends none: the worker of the service looks into the outbox by itself. */
export const WORKER_ELSEWHERE: Pick<MailWorker, 'wake'> = { wake: () => undefined };

/** What services see of mail: queue it with its cause, then, after the commit, let it leave at once. */
export class Outbox {
  readonly #repository: OutboxRepository;
  readonly #worker: Pick<MailWorker, 'wake'> | undefined;

  /** @param worker undefined when no mail is delivered; then none is queued either, it would only pile up. */
  constructor(repository: OutboxRepository, worker: Pick<MailWorker, 'wake'> | undefined) {
    this.#repository = repository;
    this.#worker = worker;
  }

  /** Whether what is queued reaches anybody. */
  get delivers(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Queues a mail as part of its cause: it exists when the transaction commits, and only then.
   * @param dueAt when it may leave at the earliest; now, unless given.
   */
  async enqueue(trx: Transaction, mail: OutboxEntry, dueAt?: Date): Promise<void> {
    if (this.#worker) await this.#repository.enqueue(trx, mail, dueAt);
  }

  /** To be called after a commit that queued mail. Forgetting it costs a delay, never a mail. */
  wake(): void {
    this.#worker?.wake();
  }
}
