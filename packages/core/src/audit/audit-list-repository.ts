import type { Knex } from 'knex';
import type { RowPosition } from '../kernel/row-position.js';
import { statement, type Database } from '../storage/database.js';
import { whereInNetwork } from '../storage/network.js';
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

/** The entry at which a reader has stopped, and what it is certain to have seen: the snapshot and the transaction of the entry. */
interface AuditStop {
  entry: RowPosition;
  snapshot: string;
  transactionId: string;
}

/** The part of the log that a reader has not seen: all since an instant, what followed an entry, or what followed a snapshot. */
export type AuditStart = { from: Date } | AuditStop | { snapshot: string };

const NOW = statement('audit_now', 'SELECT now() AS now');
const SNAPSHOT = statement('audit_snapshot', 'SELECT pg_current_snapshot()::text AS snapshot');
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
 * True for rows that a snapshot shows. Ids of transactions begin anew in a database that was restored: rows with an id that is not
 * assigned yet are from before.
 */
const IS_IN_SNAPSHOT = `(transaction_id IS NULL OR pg_visible_in_snapshot(transaction_id, ?::pg_snapshot)
    OR transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`;

/** True for rows that a former snapshot did not show. Restored ones were inserted before it, as the system column shows. */
const IS_AFTER_SNAPSHOT = `transaction_id >= pg_snapshot_xmin(:snapshot::pg_snapshot)
    AND NOT pg_visible_in_snapshot(transaction_id, :snapshot::pg_snapshot)
    AND NOT pg_visible_in_snapshot(greatest(${TRANSACTION_ID}, 0)::text::xid8, :snapshot::pg_snapshot)`;

/** The entry at which a reader stops. One from before these columns has no snapshot: every row that has one may be unseen. */
const STOP = statement(
  'audit_stop',
  `SELECT id, (extract(epoch FROM occurred_at) * 1000000)::bigint::text AS microseconds,
     coalesce(snapshot, '1:1:') AS snapshot, coalesce(transaction_id, '0')::text AS "transactionId"
   FROM auth_audit_logs WHERE id = $1`,
);

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

  /** Returns what is committed now, for a later `since`. */
  async snapshot(): Promise<string> {
    const [row] = await this.#database.query<{ snapshot: string }>(SNAPSHOT, []);
    if (!row) throw new TypeError('The database returned no snapshot.');
    return row.snapshot;
  }

  /** Returns the transactions that have ended, for a later `committedSince`. */
  async horizon(): Promise<AuditHorizon> {
    const [row] = await this.#database.query<AuditHorizon>(HORIZON, []);
    if (!row) throw new TypeError('The database returned no snapshot.');
    return row;
  }

  /** Returns rows, newest first. @param snapshot leaves out what was committed after it. */
  async list(
    filter: CheckedAuditFilter,
    after: RowPosition | undefined,
    limit: number,
    snapshot?: string,
  ): Promise<PlacedAuditRow[]> {
    return this.#database.run(async (knex): Promise<PlacedAuditRow[]> => {
      const some = (columns: Record<string, string>) =>
        newestFirst(knex('auth_audit_logs').where(columns))
          .modify((query) => limitAddress(query, filter))
          .modify((query) => limitTime(query, filter))
          .modify((query) => {
            if (after) void query.whereRaw(`(occurred_at, id) < (${INSTANT}, ?::uuid)`, valuesOf(after));
            if (snapshot !== undefined) void query.whereRaw(IS_IN_SNAPSHOT, [snapshot]);
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

  /** Returns the rows since a start that a snapshot shows, oldest first. Those of later snapshots follow after all of them. */
  async since(
    filter: CheckedAuditFilter,
    start: AuditStart,
    { until, after, limit }: { until: string; after: RowPosition | undefined; limit: number },
  ): Promise<PlacedAuditRow[]> {
    return this.#database.run(async (knex): Promise<PlacedAuditRow[]> => {
      const some = (applyStart: (query: Knex.QueryBuilder) => void) =>
        oldestFirst(knex('auth_audit_logs'))
          .modify((query) => applyFilter(query, filter))
          .modify((query) => limitTime(query, { from: filter.from }))
          .modify(applyStart)
          .whereRaw(IS_IN_SNAPSHOT, [until])
          .modify((query) => {
            if (after) void query.whereRaw(`(occurred_at, id) > (${INSTANT}, ?::uuid)`, valuesOf(after));
          })
          .limit(limit)
          .select<PlacedAuditRow[]>('*', knex.raw(MICROSECONDS));
      if ('from' in start) return some((query) => void query.where('occurred_at', '>=', start.from));
      if (!('entry' in start)) return some((query) => void query.whereRaw(IS_AFTER_SNAPSHOT, start));
      // One index has what follows the entry in the order of times, another what was committed later in spite of an earlier time.
      const parts = [some((query) => afterEntry(query, start)), some((query) => lateBefore(query, start))];
      return oldestFirst(knex.from(knex.union(parts, true).as('entries')))
        .limit(limit)
        .select<PlacedAuditRow[]>('*');
    });
  }

  /** Returns where a reader stopped that has seen an entry, in the order of `since`. Undefined if there is no such entry. */
  async stopAt(id: string): Promise<AuditStart | undefined> {
    const [row] = await this.#database.query<RowPosition & Omit<AuditStop, 'entry'>>(STOP, [id]);
    if (!row) return undefined;
    const { microseconds, snapshot, transactionId } = row;
    return { entry: { microseconds, id }, snapshot, transactionId };
  }
}

const afterEntry = (query: Knex.QueryBuilder, { entry }: AuditStop): void =>
  void query.whereRaw(`(occurred_at, id) > (${INSTANT}, ?::uuid)`, valuesOf(entry));

function lateBefore(query: Knex.QueryBuilder, { entry, snapshot, transactionId }: AuditStop): void {
  void query
    .whereRaw(`(occurred_at, id) < (${INSTANT}, ?::uuid)`, valuesOf(entry))
    .whereRaw(
      `transaction_id >= pg_snapshot_xmin(:snapshot::pg_snapshot) AND transaction_id <> :transactionId::xid8`,
      {
        snapshot,
        transactionId,
      },
    )
    .whereRaw('NOT pg_visible_in_snapshot(transaction_id, ?::pg_snapshot)', [snapshot]);
}

const oldestFirst = (query: Knex.QueryBuilder): Knex.QueryBuilder => query.orderBy(['occurred_at', 'id']);

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
  limitAddress(query, filter);
  if (userId === undefined) return;
  void query.where((either) => void either.where('actor_user_id', userId).orWhere('subject_user_id', userId));
}

function limitAddress(query: Knex.QueryBuilder, { ipAddress }: CheckedAuditFilter): void {
  if (ipAddress !== undefined) whereInNetwork(query, 'ip_address', ipAddress);
}

function limitTime(query: Knex.QueryBuilder, { from, to }: Pick<CheckedAuditFilter, 'from' | 'to'>): void {
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
