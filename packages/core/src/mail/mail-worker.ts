import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../kernel/logger.js';
import type { SpanDetails, Tracer } from '../kernel/tracer.js';
import type { MailComposer } from './mail-composer.js';
import { MAIL_KINDS, type QueuedMail } from './mail-kind.js';
import { MailRejectedError, type Mailer } from './mailer.js';
import type { OutboxRepository } from './outbox-repository.js';
import { isLastAttempt, retryDelay } from './retry-delay.js';
import { withoutSecrets } from './without-secrets.js';

export interface MailWorkerDeps {
  readonly outbox: OutboxRepository;
  readonly composer: MailComposer;
  readonly mailer: Mailer;
  readonly logger: Logger;
  readonly tracer?: Tracer | undefined;
  /** Interval in milliseconds between checks of the outbox. Defaults to 2,000. */
  readonly pollMs?: number;
  /** Maximum number of mails sent at the same time. Defaults to 4. */
  readonly concurrency?: number;
  /** Seconds for which a claimed mail belongs to this worker. Defaults to 120; must exceed the time of one sending. */
  readonly leaseSeconds?: number;
}

/**
 * Sends the mail of the outbox. Any number of workers may run on one database: one at a time claims a mail, and the
 * claim of a crashed worker expires. A mail is sent at least once; twice only if the confirmation of a sending could
 * not be recorded.
 */
export class MailWorker {
  readonly #deps: MailWorkerDeps;
  readonly #pollMs: number;
  readonly #concurrency: number;
  readonly #leaseSeconds: number;
  readonly #lanes = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** The number of claims that were begun. */
  #claims = 0;
  /** Defined while the outbox cannot be reached: the number of claims that were begun before the last failure. */
  #outboxAwaySince: number | undefined;

  constructor(deps: MailWorkerDeps) {
    this.#deps = deps;
    this.#pollMs = deps.pollMs ?? 2_000;
    this.#concurrency = deps.concurrency ?? 4;
    this.#leaseSeconds = deps.leaseSeconds ?? 120;
  }

  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => this.wake(), this.#pollMs);
    this.#timer.unref();
    this.wake();
  }

  /** Checks the outbox now. Call it after a commit that queued mail; a busy worker ignores it. */
  wake(): void {
    if (!this.#timer || this.#lanes.size >= this.#concurrency) return;
    const lane = this.#runLane().finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  /** Claims no more mail and waits for running sendings, at most `timeoutMs`. */
  async stop(timeoutMs = 10_000): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const timeout = delay(timeoutMs, undefined, { ref: false });
    await Promise.race([Promise.all(this.#lanes), timeout]);
  }

  /** Returns the number of mails that wait to be sent, due or not. @throws AuthError `service_unavailable` without a database. */
  depth(): Promise<number> {
    return this.#deps.outbox.countPending();
  }

  /** Sends one mail after the other until none is due. Each claimed mail starts another lane. */
  async #runLane(): Promise<void> {
    try {
      while (this.#timer) {
        const [mail] = await this.#claimOne();
        if (!mail) return;
        this.wake();
        await this.#traced(mail, () => this.#deliver(mail));
      }
    } catch (error) {
      this.#noteOutboxAway(error);
    }
  }

  #traced(mail: QueuedMail, work: () => Promise<void>): Promise<void> {
    const { tracer } = this.#deps;
    return tracer ? tracer.task(spanOf(mail), work) : work();
  }

  async #claimOne(): Promise<QueuedMail[]> {
    const request = { limit: 1, kinds: MAIL_KINDS, leaseSeconds: this.#leaseSeconds };
    const claim = ++this.#claims;
    const claimed = await this.#deps.outbox.claimDue(request);
    this.#noteOutboxReached(claim);
    return claimed;
  }

  async #deliver(mail: QueuedMail): Promise<void> {
    let outcome: 'sent' | 'skipped';
    try {
      outcome = await this.#send(mail);
    } catch (error) {
      await this.#recordFailure(mail, error);
      return;
    }
    if (outcome === 'sent') await this.#deps.outbox.markSent(mail);
    else await this.#deps.outbox.markSkipped(mail);
    this.#deps.logger.debug({ mailId: mail.id, kind: mail.kind, attempts: mail.attempts }, `mail ${outcome}`);
  }

  async #send(mail: QueuedMail): Promise<'sent' | 'skipped'> {
    const content = await this.#deps.composer.compose(mail);
    if (content === 'skip') return 'skipped';
    await this.#deps.mailer.send({ ...content, id: mail.id, to: mail.recipient, kind: mail.kind });
    return 'sent';
  }

  async #recordFailure(mail: QueuedMail, error: unknown): Promise<void> {
    const reason = withoutSecrets(error instanceof Error ? error.message : String(error));
    const details = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts, reason };
    if (MailRejectedError.is(error) || isLastAttempt(mail.attempts)) {
      this.#deps.logger.error(details, 'mail given up');
      await this.#deps.outbox.markDead(mail, reason);
      return;
    }
    const retryInSeconds = retryDelay(mail.attempts);
    this.#deps.logger.warn({ ...details, retryInSeconds }, 'mail could not be sent yet');
    await this.#deps.outbox.markFailed(mail, reason, retryInSeconds);
  }

  #noteOutboxAway(error: unknown): void {
    if (this.#outboxAwaySince === undefined)
      this.#deps.logger.warn({ err: error }, 'the mail outbox cannot be reached; trying on');
    this.#outboxAwaySince = this.#claims;
  }

  /** A claim that was begun before the last failure, on a connection that still answered, shows nothing. */
  #noteOutboxReached(claim: number): void {
    if (this.#outboxAwaySince === undefined || claim <= this.#outboxAwaySince) return;
    this.#outboxAwaySince = undefined;
    this.#deps.logger.info({}, 'the mail outbox is reachable again');
  }
}

const spanOf = ({ kind }: QueuedMail): SpanDetails => ({
  name: `mail ${kind}`,
  kind: 'client',
  attributes: { 'latchkey.mail.kind': kind },
});
