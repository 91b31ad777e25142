import {
  statement,
  type Database,
  type Statement,
  type Transaction,
} from '@latchkey/core/internal/storage/database';
import { toCount } from '@latchkey/core/internal/storage/postgres-types';
import { RETENTION_PATHS, type RetentionPath } from './retention-path.js';
import type { RetentionKind } from './retention.js';

/** The position of a row on its path. Microseconds since the epoch: a Date would round them. */
export interface RowPosition {
  microseconds: string;
  id: string;
}

/** A position before every row: the year 68. */
export const BEFORE_FIRST_ROW: RowPosition = {
  microseconds: '-60000000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/** The next rows of a path to scan. */
interface RowRange {
  /** The row before the first. */
  after: RowPosition;
  /** Rows that ended later are kept. Microseconds since the epoch. */
  limit: string;
  /** Maximum number of rows, removable or not. */
  size: number;
}

/** The result of scanning a range. */
interface Findings {
  /** Number of removable or removed rows. */
  count: number;
  /** The last row of the range; undefined if no row follows it. */
  end: RowPosition | undefined;
}

export interface Measure extends Findings {
  /** Ends of the first and the last of them. */
  oldest: Date | null;
  newest: Date | null;
  bytes: number;
}

interface FindingsRow extends RowPosition {
  seen: string;
  count: string;
}

const NOW = statement(
  'retention_now',
  'SELECT (extract(epoch FROM now()) * 1000000)::bigint AS microseconds',
);

/** Effective until the transaction ends; without it a trigger on the table rejects the removal. */
const ALLOW_REMOVING_AUDIT_ROWS = statement(
  'retention_allow_audit',
  "SELECT set_config('latchkey.audit_maintenance', 'on', true)",
);

const instant = (parameter: string): string =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`;

const LAST = `(extract(epoch FROM last.key) * 1000000)::bigint AS microseconds, last.id, (SELECT count(*) FROM scanned) AS seen
     FROM (SELECT key, id FROM scanned ORDER BY key DESC, id DESC LIMIT 1) AS last`;

/** Scans the rows of one path, oldest first, range by range: no statement reads more than the given size. */
export class RetentionRows {
  readonly kind: RetentionKind;
  readonly name: string;
  readonly #database: Database;
  readonly #measure: Statement;
  readonly #remove: Statement;

  constructor(
    database: Database,
    { name, kind, table, key, end, where = 'true', whereRemovable = 'true' }: RetentionPath,
  ) {
    this.kind = kind;
    this.name = name;
    this.#database = database;
    const isPast = `${where} AND ${end} <= ${instant('$3')} AND ${whereRemovable}`;
    const range = `${table} t
       WHERE ${where} AND (${key}, id) > (${instant('$1')}, $2::uuid) AND ${key} <= ${instant('$3')}
       ORDER BY ${key}, id LIMIT $4::int`;
    this.#measure = statement(
      `retention_measure_${name}`,
      `WITH scanned AS MATERIALIZED (
         SELECT id, ${key} AS key, ${isPast} AS is_past, ${end} AS ended, pg_column_size(t.*) AS bytes FROM ${range}
       ), past AS (
         SELECT count(*) AS count, min(ended) AS oldest, max(ended) AS newest, coalesce(sum(bytes), 0) AS bytes
         FROM scanned WHERE is_past
       )
       SELECT past.*, last_row.* FROM past, (SELECT ${LAST}) AS last_row`,
    );
    // Arrays keep the planner from joining with the whole table.
    this.#remove = statement(
      `retention_remove_${name}`,
      `WITH scanned AS MATERIALIZED (
         SELECT id, ${key} AS key, ${isPast} AS is_past FROM ${range}
       ), gone AS (
         DELETE FROM ${table} WHERE id = ANY(ARRAY(
           SELECT id FROM ${table} t WHERE id = ANY(ARRAY(SELECT id FROM scanned WHERE is_past)) AND ${isPast}
           FOR UPDATE OF t SKIP LOCKED))
         RETURNING 1
       )
       SELECT (SELECT count(*) FROM gone) AS count, ${LAST}`,
    );
  }

  /** Returns the number and size of the removable rows of a range. */
  async measure(range: RowRange): Promise<Measure> {
    const [row] = await this.#database.query<
      FindingsRow & { oldest: Date | null; newest: Date | null; bytes: string }
    >(this.#measure, valuesOf(range));
    const { oldest = null, newest = null, bytes } = row ?? {};
    return { ...toFindings(row, range), oldest, newest, bytes: toCount(bytes) };
  }

  /**
   * Removes the removable rows of a range. Rows that another transaction has locked are kept: it is changing or removing
   * them. The conditions are checked again once a row is locked.
   */
  async remove(range: RowRange, trx: Transaction): Promise<Findings> {
    if (this.kind === 'audit') await this.#database.query(ALLOW_REMOVING_AUDIT_ROWS, [], trx);
    const [row] = await this.#database.query<FindingsRow>(this.#remove, valuesOf(range), trx);
    return toFindings(row, range);
  }
}

const valuesOf = ({ after, limit, size }: RowRange): unknown[] => [after.microseconds, after.id, limit, size];

/** Returns the findings; without a row the range was empty. */
function toFindings(row: FindingsRow | undefined, { size }: RowRange): Findings {
  if (!row) return { count: 0, end: undefined };
  const { microseconds, id } = row;
  return { count: toCount(row.count), end: toCount(row.seen) < size ? undefined : { microseconds, id } };
}

/** Finds the rows whose retention may be over, path by path. */
export class RetentionRepository {
  readonly all: readonly RetentionRows[];
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.all = RETENTION_PATHS.map((path) => new RetentionRows(database, path));
  }

  /** Returns the instants that many seconds ago by the database's clock, in microseconds since the epoch. */
  async limitsOf(keepSeconds: readonly number[]): Promise<string[]> {
    const [row] = await this.#database.query<{ microseconds: string }>(NOW, []);
    const now = BigInt(row?.microseconds ?? 0);
    return keepSeconds.map((seconds) => String(now - BigInt(seconds) * 1_000_000n));
  }
}
