import { statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import { RETENTION_PATHS, type Path } from './retention-path.js';
import type { RetentionKind } from './retention.js';

/** A row's place on its path. Microseconds since the epoch: a Date would round them. */
export interface Place {
  microseconds: string;
  id: string;
}

/** Before every row: the year 68. */
export const BEGINNING: Place = {
  microseconds: '-60000000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/** The next rows of a path. */
export interface Stretch {
  /** The row before the first. */
  after: Place;
  /** Rows that ended later stay. Microseconds since the epoch. */
  limit: string;
  /** How many rows at most, whether they may go or not. */
  size: number;
}

/** What was found on a stretch. */
export interface Findings {
  /** Rows that may go, or have gone. */
  count: number;
  /** The last row of the stretch; undefined when there is nothing behind it. */
  end: Place | undefined;
}

export interface Measure extends Findings {
  /** When the first and the last of them came to their end. */
  oldest: Date | null;
  newest: Date | null;
  bytes: number;
}

interface FindingsRow extends Place {
  seen: string;
  count: string;
}

interface MeasureRow extends FindingsRow {
  oldest: Date | null;
  newest: Date | null;
  bytes: string;
}

const NOW = statement(
  'retention_now',
  'SELECT (extract(epoch FROM now()) * 1000000)::bigint AS microseconds',
);

/** Until the transaction ends; a trigger on the table refuses everybody who does not say this. */
const ALLOW_REMOVING_AUDIT_ROWS = statement(
  'retention_allow_audit',
  "SELECT set_config('latchkey.audit_maintenance', 'on', true)",
);

const instant = (parameter: string): string =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`;

const LAST = `(extract(epoch FROM last.key) * 1000000)::bigint AS microseconds, last.id, (SELECT count(*) FROM stretch) AS seen
     FROM (SELECT key, id FROM stretch ORDER BY key DESC, id DESC LIMIT 1) AS last`;

/** The rows on one path, oldest first, stretch by stretch: no statement looks at more than it is told. */
export class RetentionRows {
  readonly kind: RetentionKind;
  readonly name: string;
  readonly #database: Database;
  readonly #measure: Statement;
  readonly #remove: Statement;

  constructor(database: Database, { name, kind, table, key, end, among = 'true', provided = 'true' }: Path) {
    this.kind = kind;
    this.name = name;
    this.#database = database;
    const isPast = `${among} AND ${end} <= ${instant('$3')} AND ${provided}`;
    const stretch = `${table} t
       WHERE ${among} AND (${key}, id) > (${instant('$1')}, $2::uuid) AND ${key} <= ${instant('$3')}
       ORDER BY ${key}, id LIMIT $4::int`;
    this.#measure = statement(
      `retention_measure_${name}`,
      `WITH stretch AS MATERIALIZED (
         SELECT id, ${key} AS key, ${isPast} AS is_past, ${end} AS ended, pg_column_size(t.*) AS bytes FROM ${stretch}
       ), past AS (
         SELECT count(*) AS count, min(ended) AS oldest, max(ended) AS newest, coalesce(sum(bytes), 0) AS bytes
         FROM stretch WHERE is_past
       )
       SELECT past.*, place.* FROM past, (SELECT ${LAST}) AS place`,
    );
    // Arrays keep the planner from joining with the whole table.
    this.#remove = statement(
      `retention_remove_${name}`,
      `WITH stretch AS MATERIALIZED (
         SELECT id, ${key} AS key, ${isPast} AS is_past FROM ${stretch}
       ), gone AS (
         DELETE FROM ${table} WHERE id = ANY(ARRAY(
           SELECT id FROM ${table} t WHERE id = ANY(ARRAY(SELECT id FROM stretch WHERE is_past)) AND ${isPast}
           FOR UPDATE OF t SKIP LOCKED))
         RETURNING 1
       )
       SELECT (SELECT count(*) FROM gone) AS count, ${LAST}`,
    );
  }

  /** How many rows of a stretch may go, and how much they take. */
  async measure(stretch: Stretch): Promise<Measure> {
    const [row] = await this.#database.query<MeasureRow>(this.#measure, valuesOf(stretch));
    const { oldest = null, newest = null, bytes } = row ?? {};
    return { ...toFindings(row, stretch), oldest, newest, bytes: toCount(bytes) };
  }

  /**
   * Removes what may go of a stretch. Rows that another transaction holds stay: it is changing or removing them.
   * Whether a row may go is asked again once it is held.
   */
  async remove(stretch: Stretch, trx: Transaction): Promise<Findings> {
    if (this.kind === 'audit') await this.#database.query(ALLOW_REMOVING_AUDIT_ROWS, [], trx);
    const [row] = await this.#database.query<FindingsRow>(this.#remove, valuesOf(stretch), trx);
    return toFindings(row, stretch);
  }
}

const valuesOf = ({ after, limit, size }: Stretch): unknown[] => [after.microseconds, after.id, limit, size];

/** No row at all: the stretch was empty. */
function toFindings(row: FindingsRow | undefined, { size }: Stretch): Findings {
  if (!row) return { count: 0, end: undefined };
  const { microseconds, id } = row;
  return { count: toCount(row.count), end: toCount(row.seen) < size ? undefined : { microseconds, id } };
}

/** Rows that may be past their use, path by path. */
export class RetentionRepository {
  readonly all: readonly RetentionRows[];
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.all = RETENTION_PATHS.map((path) => new RetentionRows(database, path));
  }

  /** The instants that many seconds ago by the database's clock, in microseconds since the epoch. */
  async limitsOf(keepSeconds: readonly number[]): Promise<string[]> {
    const [row] = await this.#database.query<{ microseconds: string }>(NOW, []);
    const now = BigInt(row?.microseconds ?? 0);
    return keepSeconds.map((seconds) => String(now - BigInt(seconds) * 1_000_000n));
  }
}
