import type { Knex } from 'knex';
import type { RowPosition } from '../kernel/row-position.js';
import { statement, type Database } from '../storage/database.js';
import type { AuditRow } from './audit-row.js';
import type { CheckedAuditFilter } from './audit-schema.js';

/** A row and its position. */
export interface PlacedAuditRow extends AuditRow {
  /** The instant in full precision, which a Date does not hold. */
  microseconds: string;
}

/** The transactions that a reader has seen: those before the id, by the clock of the database at that moment. */
export interface AuditHorizon {
  /** Microseconds since the epoch. */
  microseconds: string;
  /** The oldest transaction that was running: every older one has ended. */
  transactionId: string;
}

const NOW = statement('audit_now', 'SELECT now() AS now');
const HORIZON = statement(
  'audit_horizon',
  `SELECT (extract(epoch FROM now()) * 1000000)::bigint::text AS microseconds,
     pg_snapshot_xmin(pg_current_snapshot())::text AS "transactionId"`,
);

const INSTANT = `timestamptz 'epoch' + ?::bigint * interval '1 microsecond'`;
const MICROSECONDS = '(extract(epoch FROM occurred_at) * 1000000)::bigint::text AS microseconds';

/**
 * The transaction that wrote a row. The row has the last 32 bits of its id; the others are those of the current id, or one
 * less for a row from before the last overflow.
 */
const TRANSACTION_ID = `(SELECT entry.low + current.id - (current.id & 4294967295)
    - CASE WHEN entry.low > (current.id & 4294967295) THEN 4294967296 ELSE 0 END
  FROM (SELECT auth_audit_logs.xmin::text::bigint AS low) AS entry,
    (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS id) AS current)`;

/**
 * True for rows that a reader who stopped at the entry `stop` has seen for certain: they precede it in the order in which rows are
 * returned, and were committed when it was written, or with it. In a restored database transactions begin anew, times go on.
 */
const SEEN_BEFORE_STOP = `(entry.occurred_at, entry.id) <= (stop.occurred_at, stop.id) AND (
    entry.transaction_id IS NULL OR entry.transaction_id = stop.transaction_id
    OR coalesce(pg_visible_in_snapshot(entry.transaction_id, stop.snapshot::pg_snapshot), false))`;

/** Reads the audit log in slices, cut by position so that new rows shift nothing. */
export class AuditListRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the current time of the clock that rows take their times from. */
  async now(): Promise<Date> {
    const [row] = await this.#database.query<{ now: Date }>(NOW, []);
    if (!row) throw new TypeError('The database returned no time.');
    return row.now;
  }

  /** Returns the transactions that have ended, for a later `committedSince`. */
  async horizon(): Promise<AuditHorizon> {
    const [row] = await this.#database.query<AuditHorizon>(HORIZON, []);
    if (!row) throw new TypeError('The database returned no snapshot.');
    return row;
  }

  /** Returns rows, newest first. */
  async list(
    filter: CheckedAuditFilter,
    after: RowPosition | undefined,
    limit: number,
  ): Promise<PlacedAuditRow[]> {
    return this.#database.run(async (knex): Promise<PlacedAuditRow[]> => {
      const some = (columns: Record<string, string>) =>
        newestFirst(knex('auth_audit_logs').where(columns))
          .modify((query) => limitTime(query, filter))
          .modify((query) => {
            if (after) void query.whereRaw(`(occurred_at, id) < (${INSTANT}, ?::uuid)`, valuesOf(after));
          })
          .limit(limit)
          .select<PlacedAuditRow[]>('*', knex.raw(MICROSECONDS));
      const { userId } = filter;
      if (userId === undefined) return some(toColumns(filter));
      // One index has what a user did, another what was done to them: each part reads no more rows than the page has.
      const parts = ['actor_user_id', 'subject_user_id'].map((column) =>
        some({ ...toColumns(filter), [column]: userId }),
      );
      return newestFirst(knex.from(knex.union(parts, true).as('entries')))
        .limit(limit)
        .select<PlacedAuditRow[]>('*');
    });
  }

  /**
   * Returns the rows whose transaction had not ended at the horizon, oldest first. Some of them may have been visible then:
   * those of transactions that ended while an older one was running.
   * @param from microseconds since the epoch: the transactions of older rows have ended.
   */
  async committedSince(
    filter: CheckedAuditFilter,
    { from, transactionId }: { from: string; transactionId: string },
    after: RowPosition | undefined,
    limit: number,
  ): Promise<PlacedAuditRow[]> {
    return this.#database.run((knex) =>
      knex('auth_audit_logs')
        .modify((query) => applyFilter(query, filter))
        .modify((query) => limitTime(query, filter))
        .whereRaw(`occurred_at >= ${INSTANT}`, [from])
        .whereRaw(`${TRANSACTION_ID} >= ?::bigint`, [transactionId])
        .modify((query) => {
          if (after) void query.whereRaw(`(occurred_at, id) > (${INSTANT}, ?::uuid)`, valuesOf(after));
        })
        .orderBy(['occurred_at', 'id'])
        .limit(limit)
        .select<PlacedAuditRow[]>('*', knex.raw(MICROSECONDS)),
    );
  }

  /** Returns the rows from an instant on, oldest first, without the known ones. */
  async since(
    filter: CheckedAuditFilter,
    from: Date,
    { except, limit }: { except: readonly string[]; limit: number },
  ): Promise<AuditRow[]> {
    return this.#database.run((knex) =>
      knex('auth_audit_logs')
        .modify((query) => applyFilter(query, filter))
        .where('occurred_at', '>=', from)
        .whereRaw('id <> ALL(?::uuid[])', [[...except]])
        .orderBy(['occurred_at', 'id'])
        .limit(limit)
        .select<AuditRow[]>('*'),
    );
  }

  /** Returns the time of an entry; undefined if there is none. */
  async timeOf(id: string): Promise<Date | undefined> {
    const [row] = await this.#database.run((knex) =>
      knex('auth_audit_logs').where({ id }).select<{ occurred_at: Date }[]>('occurred_at'),
    );
    return row?.occurred_at;
  }

  /** Returns the ids of the rows from an instant on that a reader who stopped at an entry has seen for certain, with their times. */
  async idsSeenAt(stop: string, from: Date): Promise<Pick<AuditRow, 'id' | 'occurred_at'>[]> {
    return this.#database.run((knex) =>
      knex('auth_audit_logs as entry')
        .join('auth_audit_logs as stop', 'stop.id', knex.raw('?::uuid', [stop]))
        .where('entry.occurred_at', '>=', from)
        .whereRaw(SEEN_BEFORE_STOP)
        .select('entry.id', 'entry.occurred_at'),
    );
  }

  /** Returns the ids of the rows from an instant on, with their times. */
  async idsSince(filter: CheckedAuditFilter, from: Date): Promise<Pick<AuditRow, 'id' | 'occurred_at'>[]> {
    return this.#database.run((knex) =>
      knex('auth_audit_logs')
        .modify((query) => applyFilter(query, filter))
        .where('occurred_at', '>=', from)
        .select('id', 'occurred_at'),
    );
  }
}

const newestFirst = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query.orderBy([
    { column: 'occurred_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ]);

const valuesOf = ({ microseconds, id }: RowPosition): string[] => [microseconds, id];

/** For reads of a short time: they may combine the indexes of both parts of `userId`. */
function applyFilter(query: Knex.QueryBuilder, filter: CheckedAuditFilter): void {
  const { userId } = filter;
  void query.where(toColumns(filter));
  if (userId === undefined) return;
  void query.where((either) => void either.where('actor_user_id', userId).orWhere('subject_user_id', userId));
}

function limitTime(query: Knex.QueryBuilder, { from, to }: CheckedAuditFilter): void {
  if (from) void query.where('occurred_at', '>=', from);
  if (to) void query.where('occurred_at', '<', to);
}

function toColumns(filter: CheckedAuditFilter): Record<string, string> {
  const columns = {
    event: filter.event,
    outcome: filter.outcome,
    actor_user_id: filter.actorUserId,
    acted_by_user_id: filter.actedByUserId,
    subject_user_id: filter.subjectUserId,
    company_id: filter.companyId,
    session_id: filter.sessionId,
  };
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
