import {
  DeliveryWorker,
  type DeliveryQueue,
  type DeliveryResult,
  type DeliveryWorkerOptions,
} from '../deliveries/delivery-worker.js';
import type { SpanDetails, Tracer } from '../kernel/tracer.js';
import type { MailComposer } from './mail-composer.js';
import { MAIL_KINDS, type QueuedMail } from './mail-kind.js';
import { MailRejectedError, type Mailer } from './mailer.js';
import type { OutboxRepository } from './outbox-repository.js';
import { isLastAttempt, retryDelay } from './retry-delay.js';
import { withoutSecrets } from './without-secrets.js';

export interface MailWorkerDeps extends DeliveryWorkerOptions {
  readonly outbox: OutboxRepository;
  readonly composer: MailComposer;
  readonly mailer: Mailer;
  readonly tracer?: Tracer | undefined;
  /** Seconds for which a claimed mail belongs to this worker. Defaults to 120; must exceed the time of one sending. */
  readonly leaseSeconds?: number;
}

/** Sends the mail of the outbox, at least once. Any number of workers may run on one database. */
export class MailWorker extends DeliveryWorker<QueuedMail> {
  readonly #outbox: OutboxRepository;

  constructor(deps: MailWorkerDeps) {
    super(new MailQueue(deps), deps);
    this.#outbox = deps.outbox;
  }

  /** Returns the number of mails that wait to be sent, due or not. @throws AuthError `service_unavailable` without a database. */
  depth(): Promise<number> {
    return this.#outbox.countPending();
  }
}

/** The outbox as a queue of deliveries. */
class MailQueue implements DeliveryQueue<QueuedMail> {
  readonly name = 'mail outbox';
  readonly #deps: MailWorkerDeps;

  constructor(deps: MailWorkerDeps) {
    this.#deps = deps;
  }

  async claim(): Promise<QueuedMail | undefined> {
    const { outbox, leaseSeconds = 120 } = this.#deps;
    const [mail] = await outbox.claimDue({ limit: 1, kinds: MAIL_KINDS, leaseSeconds });
    return mail;
  }

  traced(mail: QueuedMail, work: () => Promise<void>): Promise<void> {
    const { tracer } = this.#deps;
    return tracer ? tracer.task(spanOf(mail), work) : work();
  }

  async attempt(mail: QueuedMail): Promise<DeliveryResult> {
    try {
      return { status: await this.#send(mail) };
    } catch (error) {
      const reason = withoutSecrets(error instanceof Error ? error.message : String(error));
      if (MailRejectedError.is(error) || isLastAttempt(mail.attempts)) return { status: 'dead', reason };
      return { status: 'retry', reason, inSeconds: retryDelay(mail.attempts) };
    }
  }

  async record(mail: QueuedMail, result: DeliveryResult): Promise<void> {
    const { outbox, logger } = this.#deps;
    const details = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts };
    if (result.status === 'dead') {
      logger.error({ ...details, reason: result.reason }, 'mail given up');
      await outbox.markDead(mail, result.reason);
    } else if (result.status === 'retry') {
      const { reason, inSeconds: retryInSeconds } = result;
      logger.warn({ ...details, reason, retryInSeconds }, 'mail could not be sent yet');
      await outbox.markFailed(mail, reason, retryInSeconds);
    } else {
      await (result.status === 'sent' ? outbox.markSent(mail) : outbox.markSkipped(mail));
      logger.debug(details, `mail ${result.status}`);
    }
  }

  async #send(mail: QueuedMail): Promise<'sent' | 'skipped'> {
    const content = await this.#deps.composer.compose(mail);
    if (content === 'skip') return 'skipped';
    await this.#deps.mailer.send({ ...content, id: mail.id, to: mail.recipient, kind: mail.kind });
    return 'sent';
  }
}

const spanOf = ({ kind }: QueuedMail): SpanDetails => ({
  name: `mail ${kind}`,
  kind: 'client',
  attributes: { 'latchkey.mail.kind': kind },
});
