import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import type { MailKind, OutboxEntry, QueuedMail } from './mail-kind.js';
import { oneLine } from './messages/plain-text.js';
import type { OutboxState } from './outbox-mail.js';

/** The part of a queued mail that names one claim of it. */
export type Claim = Pick<QueuedMail, 'id' | 'attempts'>;

export interface ClaimRequest {
  limit: number;
  /** Mail of other kinds is left alone: another worker, perhaps a newer one, knows them. */
  kinds: readonly MailKind[];
  /** Seconds for which the mail belongs to the claimer. */
  leaseSeconds: number;
}

/** The states of mail that has not left. */
export const BACKLOG_STATES = ['waiting', 'retrying', 'failed'] as const satisfies OutboxState[];

/** How much mail has not left, by its state. */
export interface Backlog extends Record<(typeof BACKLOG_STATES)[number], number> {
  /** Seconds since the oldest was queued that waits or is retried; 0 when there is none. */
  oldestPending: number;
}

interface OutboxRow {
  id: string;
  kind: string;
  recipient: string;
  payload: object;
  attempts: number;
  created_at: Date;
}

// The CTE is evaluated once, so LIMIT holds; a row that another worker holds or took meanwhile is passed over.
const CLAIM_DUE = statement(
  'mail_claim_due',
  `with due as materialized (
     select id from mail_outbox
     where status = 'PENDING' and next_attempt_at <= now() and kind = any($2::text[])
       and (claimed_until is null or claimed_until <= now())
     order by next_attempt_at
     limit $1::int
     for update skip locked
   )
   update mail_outbox m
   set attempts = m.attempts + 1, claimed_until = now() + make_interval(secs => $3::double precision)
   from due where m.id = due.id
   returning m.id, m.kind, m.recipient, m.payload, m.attempts, m.created_at`,
);

const FINISH = statement(
  'mail_finish',
  `update mail_outbox
   set status = $3, sent_at = case when $3 = 'SENT' then now() end, claimed_until = null, last_error = $4
   where id = $1 and attempts = $2 and status = 'PENDING'
   returning id`,
);

const POSTPONE = statement(
  'mail_postpone',
  `update mail_outbox
   set next_attempt_at = now() + make_interval(secs => $4::double precision), claimed_until = null, last_error = $3
   where id = $1 and attempts = $2 and status = 'PENDING'
   returning id`,
);

const RETRY = statement(
  'mail_retry',
  `update mail_outbox set status = 'PENDING', next_attempt_at = now()
   where id = any($1::uuid[]) and status in ('PENDING', 'DEAD')
   returning id`,
);

const RETRY_DEAD = statement(
  'mail_retry_dead',
  `update mail_outbox set status = 'PENDING', next_attempt_at = now()
   where id = any(array(
     select id from mail_outbox where status = 'DEAD' and next_attempt_at <= $2::timestamptz
     order by created_at desc, id desc limit $1::int
     for update skip locked))
   returning id`,
);

const NOW = statement('mail_now', 'select now()::text as now');

const COUNT_PENDING = statement(
  'mail_count_pending',
  `select count(*) as pending from mail_outbox where status = 'PENDING'`,
);

// Served by mail_outbox_unfinished: mail that has left is not looked at. Mail that was queued for later waits from then.
const BACKLOG = statement(
  'mail_backlog',
  `select count(*) filter (where status = 'PENDING' and last_error is null) as waiting,
     count(*) filter (where status = 'PENDING' and last_error is not null) as retrying,
     count(*) filter (where status = 'DEAD') as failed,
     coalesce(greatest(extract(epoch from now() - min(case when last_error is null then next_attempt_at else created_at end)
       filter (where status = 'PENDING')), 0), 0)::float8 as oldest
   from mail_outbox where status in ('PENDING', 'DEAD')`,
);

const MAX_ERROR_LENGTH = 500;

/**
 * The mails that wait and those that have left. Every claim raises `attempts`; the methods that record a result
 * apply to the claim they are given and answer false when a later claim, or a result, came first.
 */
export class OutboxRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Queues a mail as part of its cause: it exists when the transaction commits, and only then.
   * @param dueAt when it may leave at the earliest; now, unless given.
   */
  async enqueue(trx: Transaction, mail: OutboxEntry, dueAt?: Date): Promise<void> {
    const row = {
      id: newId(),
      kind: mail.kind,
      recipient: mail.recipient,
      payload: JSON.stringify(mail.payload),
      ...(dueAt && { next_attempt_at: dueAt }),
    };
    await this.#database.run((knex) => knex('mail_outbox').insert(row), trx);
  }

  /** Claims the mail that is due longest. No two callers get one mail until the lease of the first is over. */
  async claimDue(request: ClaimRequest): Promise<QueuedMail[]> {
    const values = [request.limit, request.kinds, request.leaseSeconds];
    const rows = await this.#database.query<OutboxRow>(CLAIM_DUE, values);
    return rows.map(toQueuedMail);
  }

  markSent(claim: Claim): Promise<boolean> {
    return this.#finish(claim, 'SENT', null);
  }

  /** The cause of the mail no longer stands; it is not sent. */
  markSkipped(claim: Claim): Promise<boolean> {
    return this.#finish(claim, 'SKIPPED', null);
  }

  /** Gives the mail up for good. */
  markDead(claim: Claim, reason: string): Promise<boolean> {
    return this.#finish(claim, 'DEAD', reason);
  }

  /** Lets the mail be claimed again after `retryInSeconds`. */
  async markFailed(claim: Claim, reason: string, retryInSeconds: number): Promise<boolean> {
    const values = [claim.id, claim.attempts, shorten(reason), retryInSeconds];
    const rows = await this.#database.query(POSTPONE, values);
    return rows.length > 0;
  }

  /**
   * Makes mails due now that have not left, given up or not; a sending that is under way goes on. Attempts count on, so
   * that no result of an earlier claim is taken for one of a later. @returns the ids of those that had not left.
   */
  async retry(ids: readonly string[], trx: Transaction): Promise<string[]> {
    return idsOf(await this.#database.query<{ id: string }>(RETRY, [ids], trx));
  }

  /** The same for mails that were given up and were last due before `instant`, the newest first, at most `limit`. */
  async retryDead(instant: string, limit: number, trx: Transaction): Promise<string[]> {
    return idsOf(await this.#database.query<{ id: string }>(RETRY_DEAD, [limit, instant], trx));
  }

  /** The database's clock, as it writes it. */
  async now(): Promise<string> {
    const [row] = await this.#database.query<{ now: string }>(NOW, []);
    return row?.now ?? '';
  }

  /** Mails that wait to be sent, due or not. */
  async countPending(): Promise<number> {
    const [row] = await this.#database.query<{ pending: string }>(COUNT_PENDING, []);
    return toCount(row?.pending);
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.#database.query<Record<keyof Backlog | 'oldest', string>>(BACKLOG, []);
    return {
      waiting: toCount(row?.waiting),
      retrying: toCount(row?.retrying),
      failed: toCount(row?.failed),
      oldestPending: Number(row?.oldest ?? 0),
    };
  }

  async #finish(claim: Claim, status: 'SENT' | 'SKIPPED' | 'DEAD', reason: string | null): Promise<boolean> {
    const values = [claim.id, claim.attempts, status, reason === null ? null : shorten(reason)];
    const rows = await this.#database.query(FINISH, values);
    return rows.length > 0;
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** The payload has the shape `enqueue` gave it: rows are written nowhere else. */
function toQueuedMail(row: OutboxRow): QueuedMail {
  const { id, kind, recipient, payload, attempts } = row;
  return { id, kind, recipient, payload, attempts, createdAt: row.created_at } as QueuedMail;
}

function shorten(reason: string): string {
  return Array.from(oneLine(reason)).slice(0, MAX_ERROR_LENGTH).join('');
}
