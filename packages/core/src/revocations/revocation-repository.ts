import { AuthError } from '../kernel/auth-error.js';
import { statement, type Database } from '../storage/database.js';
import { cursorGone, isAhead, type FeedPosition } from './feed-cursor.js';
import { REVOCATION_MATTERS_SECONDS, type RevocationEntry } from './revocation.js';

/** Entries, and the position that a reader has reached with them. */
export interface RevocationReading {
  position: FeedPosition;
  entries: RevocationEntry[];
}

interface Row {
  snapshot: string;
  origin: string;
  read_at: string;
  is_standby: boolean;
  id: string | null;
  session_id: string | null;
  user_id: string | null;
  token_version: number | null;
  api_key_event: 'revoked' | 'rotated' | null;
  created_at: Date;
  /** Position of the row in the order of its statement. */
  key: string;
}

/** Rows of one statement. */
const SIZE = 5_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

// A restored copy has the same transaction ids for other transactions. It is recognized by the cluster, the database, the
// table and the timeline, which a promotion and a recovery to a point in time change.
const READING = `SELECT pg_current_snapshot() AS snapshot, pg_is_in_recovery() AS is_standby,
     extract(epoch FROM now())::bigint AS read_at, left(encode(sha256(convert_to(concat_ws('/',
       (SELECT system_identifier FROM pg_control_system()),
       (SELECT oid FROM pg_database WHERE datname = current_database()), 'revocations'::regclass::oid,
       CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
     ), 'UTF8')), 'hex'), 16) AS origin`;
const COLUMNS = 'id, session_id, user_id, token_version, api_key_event, created_at';

/**
 * Selects what has committed since the snapshot $1; without one, nothing, only the position. Rows of a restored dump may have ids
 * that this server has not reached: they are in no snapshot, so they are left to those who read everything.
 */
const SINCE = statement(
  'revocations_since',
  `WITH reading AS MATERIALIZED (${READING})
   SELECT reading.snapshot::text, reading.is_standby, reading.read_at, reading.origin, changed.*
   FROM reading LEFT JOIN (
     SELECT ${COLUMNS}, transaction_id::text AS key FROM revocations
     WHERE transaction_id >= pg_snapshot_xmin(coalesce($1::pg_snapshot, pg_current_snapshot()))
       AND (transaction_id, id) > ($2::xid8, $3::uuid)
       AND NOT pg_visible_in_snapshot(transaction_id, coalesce($1::pg_snapshot, pg_current_snapshot()))
       AND pg_visible_in_snapshot(transaction_id, pg_current_snapshot())
     ORDER BY transaction_id, id LIMIT $4::int
   ) changed ON true`,
);

const ALL = statement(
  'revocations_all',
  `WITH reading AS MATERIALIZED (${READING})
   SELECT reading.snapshot::text, reading.is_standby, reading.read_at, reading.origin, kept.*
   FROM reading LEFT JOIN (
     SELECT ${COLUMNS}, created_at::text AS key FROM revocations
     WHERE created_at > now() - make_interval(secs => $1) AND (created_at, id) > ($2::timestamptz, $3::uuid)
     ORDER BY created_at, id LIMIT $4::int
   ) kept ON true`,
);

/** Reads the rows that triggers write when a session is revoked, a token version is raised, or an API key is revoked or rotated. */
export class RevocationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns everything that still matters. */
  readAll(): Promise<RevocationReading> {
    return this.#readPages((key, id) =>
      this.#database.query<Row>(ALL, [REVOCATION_MATTERS_SECONDS, key ?? '-infinity', id, SIZE]),
    );
  }

  /**
   * Returns what has committed since a position: everything that its snapshot did not show. Nothing is skipped, because a
   * transaction that was running then is not in the snapshot; nothing waits for a transaction that is still running.
   * @throws AuthError `gone` for a position that is too old, or of another database or an abandoned timeline.
   */
  async readSince(since: FeedPosition): Promise<RevocationReading> {
    const reading = await this.#readPages((key, id) =>
      this.#database.query<Row>(SINCE, [since.snapshot, key ?? '0', id, SIZE]),
    );
    assertContinues(since, reading.position);
    return reading;
  }

  /** Returns the current position. */
  async position(): Promise<FeedPosition> {
    const rows = await this.#database.query<Row>(SINCE, [null, '0', FIRST_ID, 1]);
    return positionIn(rows);
  }

  /**
   * Reads page by page. The position is that of the first page: what commits later is not in its snapshot, so it is read
   * again from there.
   */
  async #readPages(
    read: (key: string | undefined, id: string) => Promise<Row[]>,
  ): Promise<RevocationReading> {
    let rows = await read(undefined, FIRST_ID);
    const position = positionIn(rows);
    const entries = entriesOf(rows);
    while (rows.length === SIZE) {
      const last = rows.at(-1);
      rows = await read(last?.key, last?.id ?? FIRST_ID);
      for (const entry of entriesOf(rows)) entries.push(entry);
    }
    return { position, entries };
  }
}

function assertContinues(since: FeedPosition, now: FeedPosition): void {
  const isTooOld = now.readAt - since.readAt > REVOCATION_MATTERS_SECONDS;
  if (since.origin !== now.origin || isTooOld || isAhead(since, now)) throw cursorGone();
}

function positionIn([row]: readonly Row[]): FeedPosition {
  // A standby may be behind: its readers would believe to know everything.
  if (!row || row.is_standby) throw AuthError.unavailable('The database is a standby; it has no feed.');
  return { origin: row.origin, snapshot: row.snapshot, readAt: Number(row.read_at) };
}

/** The one row of an empty page has no id. */
const entriesOf = (rows: readonly Row[]): RevocationEntry[] =>
  rows.filter(({ id }) => id !== null).map(entryOf);

function entryOf({ session_id, user_id, token_version, api_key_event, created_at }: Row): RevocationEntry {
  const at = created_at.toISOString();
  if (api_key_event !== null) return { type: `api-key-${api_key_event}`, kid: session_id ?? '', at };
  return session_id === null
    ? { type: 'token-claims-change', sub: user_id ?? '', minTokenVersion: token_version ?? 0, at }
    : { type: 'session-revoked', sid: session_id, at };
}
