import type { AuditRepository } from '../audit/audit-repository.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { prefixOf } from '../kernel/id-prefix.js';
import { checkGrowingPage, type GrowingPageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import { outboxFilter, type OutboxFilter } from '../mail/outbox-filter.js';
import type { FailedMails, OutboxListRepository } from '../mail/outbox-list-repository.js';
import type { OutboxMailView } from '../mail/outbox-mail-schema.js';
import type { OutboxMail } from '../mail/outbox-mail.js';
import type { OutboxRepository } from '../mail/outbox-repository.js';
import type { Outbox } from '../mail/outbox.js';
import type { Database, Transaction } from '../storage/database.js';
import { emailPrefix } from '../users/email.js';
import type { UserRepository } from '../users/user-repository.js';
import { actorOf, lockOperator, type Administrator } from './administrator.js';

const toOutboxMailView = (mail: OutboxMail): OutboxMailView => ({
  ...mail,
  createdAt: mail.createdAt.toISOString(),
  nextAttemptAt: mail.nextAttemptAt?.toISOString() ?? null,
  sentAt: mail.sentAt?.toISOString() ?? null,
});

/** Number of mails that are retried in one transaction. */
const BATCH = 1000;

interface MailAdministrationDeps {
  readonly database: Database;
  readonly users: Pick<UserRepository, 'lock'>;
  readonly outbox: Outbox;
  readonly mails: OutboxRepository;
  readonly mailLists: OutboxListRepository;
  readonly audit: AuditRepository;
}

/** Manages the outbox: lists waiting and failed mail, and retries it. */
export class MailAdministration {
  readonly #deps: MailAdministrationDeps;

  constructor(deps: MailAdministrationDeps) {
    this.#deps = deps;
  }

  /** True if mail is queued and sent. */
  get isDelivered(): boolean {
    return this.#deps.outbox.delivers;
  }

  /** Returns the mails of the outbox, newest first. */
  async list(filter: OutboxFilter = {}, page: GrowingPageInput = {}): Promise<Page<OutboxMailView>> {
    const { to, ...others } = checkInput(outboxFilter.strict(), filter, 'query');
    const wanted = to === undefined ? others : { ...others, to: emailPrefix(to) };
    return mapPage(await this.#deps.mailLists.list(wanted, checkGrowingPage(page)), toOutboxMailView);
  }

  /**
   * Returns the mails of an id or of the prefix of one, newest first.
   * @throws AuthError `validation_error` for fewer than 4 characters.
   */
  async findByPrefix(text: string, limit: number): Promise<OutboxMailView[]> {
    return (await this.#deps.mailLists.findByPrefix(prefixOf(text), limit)).map(toOutboxMailView);
  }

  /** Returns the counts of mails that were given up. */
  async failed(): Promise<FailedMails> {
    return this.#deps.mailLists.failed();
  }

  /**
   * Makes unsent mails due now; those that were given up get a new series of attempts.
   * @throws AuthError `conflict`, and nothing is changed, when one was sent or skipped, is unknown, or mail is
   * not configured; `forbidden` for a user whose role may not.
   */
  async retry(
    administrator: Administrator,
    mailIds: readonly string[],
    client: ClientInfo = unknownClient,
  ): Promise<OutboxMailView[]> {
    const ids = mailIds.map((id) => checkId(id));
    this.#assertDelivered();
    const retried = await this.#deps.database.transaction(async (trx) => {
      await lockOperator(this.#deps.users, administrator, trx);
      const changed = new Set(await this.#deps.mails.retry(ids, trx));
      const left = ids.filter((id) => !changed.has(id));
      if (left.length > 0)
        throw AuthError.conflict(
          `${left.join(', ')}: was sent or skipped, or is no mail.`,
          'mail_not_waiting',
        );
      await this.#record(administrator, { mailIds: ids }, client, trx);
      this.#deps.outbox.sendQueued(trx);
      return this.#deps.mailLists.findAll(ids, trx);
    });
    return retried.map(toOutboxMailView);
  }

  /**
   * Makes one unsent mail due now, as `retry` does.
   * @throws AuthError `not_found` for an unknown mail, and as `retry`.
   */
  async retryOne(
    administrator: Administrator,
    mailId: string,
    client: ClientInfo = unknownClient,
  ): Promise<OutboxMailView> {
    const id = checkId(mailId);
    const [known] = await this.#deps.database.transaction((trx) => this.#deps.mailLists.findAll([id], trx));
    const [retried] = known ? await this.retry(administrator, [id], client) : [];
    if (!retried) throw AuthError.notFound('The mail', 'mail_not_found');
    return retried;
  }

  /**
   * Makes all mails due now that were given up before the call.
   * @returns their number.
   * @throws AuthError `conflict` when mail is not configured.
   */
  async retryFailed(actor: TrustedActor, client: ClientInfo = unknownClient): Promise<number> {
    this.#assertDelivered();
    const instant = await this.#deps.mails.now();
    let total = 0;
    for (let count = BATCH; count === BATCH; total += count) {
      count = await this.#deps.database.transaction(async (trx) => {
        const { length: mails } = await this.#deps.mails.retryDead(instant, BATCH, trx);
        if (mails > 0) await this.#record(actor, { mails }, client, trx);
        this.#deps.outbox.sendQueued(trx);
        return mails;
      });
    }
    return total;
  }

  async #record(
    administrator: Administrator,
    details: Record<string, unknown>,
    client: ClientInfo,
    trx: Transaction,
  ): Promise<void> {
    const about = { actor: actorOf(administrator), client, details };
    await this.#deps.audit.insert({ event: 'mail_retried', outcome: 'success', ...about }, trx);
  }

  #assertDelivered(): void {
    if (!this.isDelivered) {
      throw AuthError.conflict(
        'No mail is sent: SMTP_URL and MAIL_FROM are not set. Set both.',
        'mail_not_configured',
      );
    }
  }
}
