import type { Knex } from 'knex';
import { idRangeOf } from '../kernel/id-prefix.js';
import { readAs } from '../kernel/open-list.js';
import { mapPage, placedPageOf, type Page, type PageRequest } from '../kernel/page.js';
import { cursorOf, type RowPosition } from '../kernel/row-position.js';
import { countBounded } from '../storage/bounded-count.js';
import type { Database, Transaction } from '../storage/database.js';
import { newestPage } from '../storage/newest-page.js';
import { toCount } from '../storage/postgres-types.js';
import { MAIL_KINDS } from './mail-kind.js';
import type { OutboxFilter } from './outbox-filter.js';
import type { OutboxMail, OutboxState } from './outbox-mail.js';
import { withoutSecrets } from './without-secrets.js';

/** Summary of all failed mails. */
export interface FailedMails {
  count: number;
  oldest: Date | null;
}

interface ListRow {
  id: string;
  kind: string;
  recipient: string;
  status: 'PENDING' | 'SENT' | 'SKIPPED' | 'DEAD';
  attempts: number;
  last_error: string | null;
  created_at: Date;
  next_attempt_at: Date;
  sent_at: Date | null;
}

/** Everything but the payload. */
const COLUMNS = [
  'id',
  'kind',
  'recipient',
  'status',
  'attempts',
  'last_error',
  'created_at',
  'next_attempt_at',
  'sent_at',
] as const;

/** Reads lists of the outbox. */
export class OutboxListRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a page, newest first. */
  async list(filter: OutboxFilter, page: PageRequest): Promise<Page<OutboxMail>> {
    return this.#database.run(async (knex) => {
      const matching = applyFilter(knex('mail_outbox'), filter);
      const [rows, counted] = await Promise.all([
        newestPage(knex, matching.clone().select<(ListRow & RowPosition)[]>(COLUMNS), page, 'mail_outbox'),
        countBounded(knex, matching),
      ]);
      return mapPage(placedPageOf(rows, counted, page, cursorOf), toOutboxMail);
    });
  }

  /** Returns mails by a prefix of the id, at most `limit`, newest first. */
  async findByPrefix(prefix: string, limit: number): Promise<OutboxMail[]> {
    const ids = idRangeOf(prefix);
    if (!ids) return [];
    const rows = await this.#database.run((knex) =>
      newestFirst(knex('mail_outbox').whereBetween('id', [ids.first, ids.last]))
        .limit(limit)
        .select<ListRow[]>(COLUMNS),
    );
    return rows.map(toOutboxMail);
  }

  /** Returns mails by their ids, newest first; unknown ones are missing. */
  async findAll(ids: readonly string[], trx: Transaction): Promise<OutboxMail[]> {
    const rows = await newestFirst(trx('mail_outbox').whereIn('id', [...ids])).select<ListRow[]>(COLUMNS);
    return rows.map(toOutboxMail);
  }

  async failed(): Promise<FailedMails> {
    const [row] = await this.#database.run((knex) =>
      knex('mail_outbox')
        .where('status', 'DEAD')
        .select<{ count: string; oldest: Date | null }[]>(
          knex.raw('count(*) AS count, min(created_at) AS oldest'),
        ),
    );
    return { count: toCount(row?.count), oldest: row?.oldest ?? null };
  }
}

const newestFirst = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query.orderBy([
    { column: 'created_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ]);

/** The last error of a pending mail shows that it has failed before. */
const CONDITIONS: Record<OutboxState, string> = {
  waiting: `status = 'PENDING' AND last_error IS NULL`,
  retrying: `status = 'PENDING' AND last_error IS NOT NULL`,
  failed: `status = 'DEAD'`,
  sent: `status = 'SENT'`,
  skipped: `status = 'SKIPPED'`,
};

function applyFilter(query: Knex.QueryBuilder, { state, kind, to }: OutboxFilter): Knex.QueryBuilder {
  if (state !== undefined) void query.whereRaw(CONDITIONS[state]);
  if (kind !== undefined) void query.where('kind', kind);
  if (to !== undefined) void query.whereRaw('starts_with(recipient, ?)', [to]);
  return query;
}

function toOutboxMail(row: ListRow): OutboxMail {
  const { id, kind, recipient, attempts } = row;
  return {
    id,
    kind: readAs(MAIL_KINDS, kind),
    recipient,
    state: stateOf(row),
    attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.status === 'PENDING' ? row.next_attempt_at : null,
    sentAt: row.sent_at,
    lastError: row.last_error === null ? null : withoutSecrets(row.last_error),
  };
}

function stateOf({ status, last_error: lastError }: ListRow): OutboxState {
  if (status === 'PENDING') return lastError === null ? 'waiting' : 'retrying';
  if (status === 'DEAD') return 'failed';
  return status === 'SENT' ? 'sent' : 'skipped';
}
