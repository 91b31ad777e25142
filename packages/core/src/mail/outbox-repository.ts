import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import type { MailKind, MailPayloads, OutboxEntry, QueuedMail } from './mail-kind.js';
import { oneLine } from './messages/plain-text.js';
import type { OutboxState } from './outbox-mail.js';

/**
 * Returns the INSERT of one mail as a part of a larger statement, so that cause and mail are written in one go.
 * @param source a CTE with `id`, `email` and `full_name` of the recipient.
 * @param parameter the placeholder or column of a `MailForStatement` in JSON, or of null for no mail.
 */
export const mailInsertFrom = (source: string, condition: string, parameter: string): string =>
  `INSERT INTO mail_outbox (id, kind, recipient, user_id, payload)
     SELECT entry.id, entry.kind, email, ${source}.id, entry.payload || jsonb_build_object('fullName', full_name)
     FROM ${source}, jsonb_to_record(coalesce(${parameter}::jsonb, '{}')) AS entry(id uuid, kind text, payload jsonb)
     WHERE entry.id IS NOT NULL AND ${condition}`;

/** A mail for `mailInsertFrom`; the statement adds recipient and full name. */
export type MailForStatement = { id: string } & {
  [K in MailKind]: { kind: K; payload: Omit<MailPayloads[K], 'fullName'> };
}[MailKind];

/** The part of a queued mail that identifies one claim. */
type Claim = Pick<QueuedMail, 'id' | 'attempts'>;

export interface ClaimRequest {
  limit: number;
  /** Mail of other kinds is left to other workers, perhaps of a newer version. */
  kinds: readonly MailKind[];
  /** Seconds for which the mail belongs to the worker. */
  leaseSeconds: number;
}

/** The states of mail that has not been sent. */
export const BACKLOG_STATES = ['waiting', 'retrying', 'failed'] as const satisfies OutboxState[];

/** Numbers of mails that have not been sent, by state. */
export interface Backlog extends Record<(typeof BACKLOG_STATES)[number], number> {
  /** Age in seconds of the oldest mail that waits or is retried; 0 without one. */
  oldestPending: number;
}

/** The facts by which the mails to a user are found, and those that name them. */
interface MailsOfUser {
  userId: string;
  /** Addresses that the user has or had, and no other user has now. */
  addresses: readonly string[];
  /** Changes of their address, with the addresses that they named. */
  emailChanges: { ids: readonly string[]; emails: readonly string[] };
  /** Invitations by them, which name them as inviter, with their recipients. */
  invitations: { ids: readonly string[]; emails: readonly string[] };
}

interface OutboxRow {
  id: string;
  kind: string;
  recipient: string;
  payload: object;
  locale: string | null;
  attempts: number;
  created_at: Date;
}

// The erasure of a user finds the mails to their address by their id. A payload may name one who was looked up before: if they
// were erased meanwhile, the mail is not queued.
const ENQUEUE = statement(
  'mail_enqueue',
  `insert into mail_outbox (id, kind, recipient, payload, next_attempt_at, user_id)
   values ($1, $2, $3, $4, coalesce($5::timestamptz, now()),
     coalesce($6::uuid, (select id from users where email = $3)))`,
);

// The CTE is evaluated once, so LIMIT holds; a row that another worker holds or has claimed is skipped.
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
   returning m.id, m.kind, m.recipient, m.payload, m.attempts, m.created_at,
     (select u.locale from users u where u.id = m.user_id) as locale`,
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

const ADDRESSES_OF = statement(
  'mail_addresses_of_user',
  'select distinct recipient from mail_outbox where user_id = $1',
);

// Rows of the previous version have no user_id. An address that another user has by now is theirs.
const REMOVE_ALL_OF = statement(
  'mail_remove_all_of_user',
  `delete from mail_outbox m where m.id = any(array(
     select id from mail_outbox where user_id = $1
     union all
     select id from mail_outbox where recipient = any($2::text[]) and user_id is null
     union all
     select id from mail_outbox
     where recipient = any($3::text[]) and kind = 'email_change' and payload->>'changeId' = any($4::text[])
     union all
     select id from mail_outbox
     where recipient = any($5::text[]) and kind = 'invitation' and payload->>'invitationId' = any($6::text[])))
   returning m.id`,
);

const NOW = statement('mail_now', 'select now()::text as now');

const COUNT_PENDING = statement(
  'mail_count_pending',
  `select count(*) as pending from mail_outbox where status = 'PENDING'`,
);

// Served by mail_outbox_unfinished: sent mail is not read. Mail that was queued for later waits from then.
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
 * Queued and sent mail. Every claim increments `attempts`; the methods that record a result apply to the given claim and
 * return false if a later claim or a result came first.
 */
export class OutboxRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Queues a mail as part of its cause: it exists when the transaction commits, and only then.
   * @param dueAt the earliest time of sending; defaults to now.
   */
  async enqueue(trx: Transaction, mail: OutboxEntry, dueAt?: Date): Promise<void> {
    const { kind, recipient, payload } = mail;
    const userId = 'userId' in payload ? payload.userId : null;
    await this.#database.query(
      ENQUEUE,
      [newId(), kind, recipient, JSON.stringify(payload), dueAt ?? null, userId],
      trx,
    );
  }

  /** Claims the mail that has been due longest. No two callers receive one mail until the lease of the first has expired. */
  async claimDue(request: ClaimRequest): Promise<QueuedMail[]> {
    const values = [request.limit, request.kinds, request.leaseSeconds];
    const rows = await this.#database.query<OutboxRow>(CLAIM_DUE, values);
    return rows.map(toQueuedMail);
  }

  markSent(claim: Claim): Promise<boolean> {
    return this.#finish(claim, 'SENT', null);
  }

  /** Records that the mail was not sent because its cause no longer exists. */
  markSkipped(claim: Claim): Promise<boolean> {
    return this.#finish(claim, 'SKIPPED', null);
  }

  /** Gives up the mail permanently. */
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
   * Makes unsent mails due now, whether given up or not; a running sending continues. Attempts keep counting, so that a
   * result of an earlier claim is never taken for that of a later one. @returns the ids of the unsent mails.
   */
  async retry(ids: readonly string[], trx: Transaction): Promise<string[]> {
    return idsOf(await this.#database.query<{ id: string }>(RETRY, [ids], trx));
  }

  /** Does the same for mails that were given up and last due before `instant`, newest first, at most `limit`. */
  async retryDead(instant: string, limit: number, trx: Transaction): Promise<string[]> {
    return idsOf(await this.#database.query<{ id: string }>(RETRY_DEAD, [limit, instant], trx));
  }

  /** Returns the addresses to which mails were sent when they were those of the user. */
  async addressesOf(userId: string, trx: Transaction): Promise<string[]> {
    const rows = await this.#database.query<{ recipient: string }>(ADDRESSES_OF, [userId], trx);
    return rows.map(({ recipient }) => recipient);
  }

  /**
   * Removes the mails to a user, also those to former addresses, and mails to others that name them, in whatever state. One that
   * a worker sends at the moment is not stopped, but its result is not recorded.
   * @returns the number of removed mails.
   */
  async removeAllOf(mails: MailsOfUser, trx: Transaction): Promise<number> {
    const { userId, addresses, emailChanges, invitations } = mails;
    const values = [
      userId,
      addresses,
      emailChanges.emails,
      emailChanges.ids,
      invitations.emails,
      invitations.ids,
    ];
    return (await this.#database.query(REMOVE_ALL_OF, values, trx)).length;
  }

  /** Returns the time of the database, in its own format. */
  async now(): Promise<string> {
    const [row] = await this.#database.query<{ now: string }>(NOW, []);
    return row?.now ?? '';
  }

  /** Returns the number of mails that wait to be sent, due or not. */
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
  const { id, kind, recipient, payload, locale, attempts } = row;
  return { id, kind, recipient, payload, locale, attempts, createdAt: row.created_at } as QueuedMail;
}

function shorten(reason: string): string {
  return Array.from(oneLine(reason)).slice(0, MAX_ERROR_LENGTH).join('');
}
