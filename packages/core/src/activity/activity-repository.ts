import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';

/** Only one transaction counts at a time; the next one continues where it stopped. */
const LOCK = statement('activity_lock', 'SELECT FROM activity_cursor FOR UPDATE');

/**
 * Begins anew in a database that was restored into another cluster, where ids of transactions are lower. Entries from before the
 * last count are in the numbers already.
 */
const BEGIN_ANEW = statement(
  'activity_begin_anew',
  `UPDATE activity_cursor SET counted_to = '0', counted_since = coalesce(counted_at, counted_since)
   WHERE counted_to >= pg_snapshot_xmax(pg_current_snapshot())`,
);

/** The condition of the partial index. */
const IS_COUNTED_EVENT = "event IN ('login', 'registration')";
const IS_SIGN_IN = "event = 'login' AND outcome = 'success'";

/**
 * Counts the entries of the next transactions, whole transactions only: of those before the oldest one that is running, nothing can
 * commit any more. A user is counted for a day by the first sign-in: an earlier one is in the log, found by the index of the user.
 */
const COUNT = statement(
  'activity_count',
  `WITH place AS MATERIALIZED (SELECT counted_to, counted_since FROM activity_cursor),
   batch AS MATERIALIZED (
     SELECT transaction_id FROM auth_audit_logs
     WHERE ${IS_COUNTED_EVENT} AND transaction_id > (SELECT counted_to FROM place)
       AND transaction_id < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY transaction_id LIMIT $1::int
   ), last AS MATERIALIZED (
     SELECT transaction_id FROM batch ORDER BY transaction_id DESC LIMIT 1
   ), entry AS MATERIALIZED (
     SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, event, outcome, subject_user_id
     FROM auth_audit_logs
     WHERE ${IS_COUNTED_EVENT} AND transaction_id > (SELECT counted_to FROM place)
       AND transaction_id <= (SELECT transaction_id FROM last)
       AND occurred_at >= (SELECT counted_since FROM place)
   ), events AS (
     SELECT day, count(*) FILTER (WHERE ${IS_SIGN_IN}) AS sign_ins,
       count(*) FILTER (WHERE event = 'login' AND outcome = 'failure') AS failed_sign_ins,
       count(*) FILTER (WHERE event = 'registration' AND outcome = 'success') AS registrations
     FROM entry GROUP BY day
   ), users AS (
     SELECT day, count(*) AS signed_in_users
     FROM (SELECT DISTINCT day, subject_user_id FROM entry WHERE ${IS_SIGN_IN}) AS signed_in
     WHERE subject_user_id IS NOT NULL AND NOT EXISTS (
       SELECT FROM auth_audit_logs counted, place
       WHERE counted.subject_user_id = signed_in.subject_user_id AND counted.${IS_SIGN_IN}
         AND counted.occurred_at >= signed_in.day::timestamp AT TIME ZONE 'UTC'
         AND counted.occurred_at < (signed_in.day + 1)::timestamp AT TIME ZONE 'UTC'
         AND (counted.transaction_id <= place.counted_to OR counted.occurred_at < place.counted_since))
     GROUP BY day
   ), added AS (
     INSERT INTO daily_activity AS kept (day, sign_ins, failed_sign_ins, registrations, signed_in_users)
     SELECT day, sign_ins, failed_sign_ins, registrations, coalesce(signed_in_users, 0)
     FROM events LEFT JOIN users USING (day)
     ON CONFLICT (day) DO UPDATE SET sign_ins = kept.sign_ins + excluded.sign_ins,
       failed_sign_ins = kept.failed_sign_ins + excluded.failed_sign_ins,
       registrations = kept.registrations + excluded.registrations,
       signed_in_users = kept.signed_in_users + excluded.signed_in_users
   ), moved AS (
     UPDATE activity_cursor SET counted_to = coalesce((SELECT transaction_id FROM last), counted_to),
       counted_at = CASE WHEN (SELECT count(*) FROM batch) < $1::int THEN clock_timestamp() ELSE counted_at END
   )
   SELECT count(*) AS entries FROM batch`,
);

const DAYS = statement(
  'activity_days',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, coalesce(sign_ins, 0)::float8 AS "signIns",
     coalesce(failed_sign_ins, 0)::float8 AS "failedSignIns", coalesce(registrations, 0)::float8 AS registrations,
     coalesce(signed_in_users, 0)::float8 AS "signedInUsers",
     (SELECT counted_at FROM activity_cursor) AS "countedAt"
   FROM (SELECT (now() AT TIME ZONE 'UTC')::date - back AS day FROM generate_series(0, $1::int - 1) AS back) AS wanted
   LEFT JOIN daily_activity USING (day) ORDER BY day`,
);

/** Failures that are grouped: beyond them, the numbers are those of the newest ones. */
const NEWEST_FAILURES = 10_000;

const FAILING_ADDRESSES = statement(
  'activity_failing_addresses',
  `SELECT ip_address AS "ipAddress", count(*)::int AS failures, max(occurred_at) AS "lastAt"
   FROM (SELECT ip_address, occurred_at FROM auth_audit_logs
         WHERE outcome = 'failure' AND event = 'login' AND occurred_at > now() - interval '24 hours'
         ORDER BY occurred_at DESC, id DESC LIMIT ${NEWEST_FAILURES}) AS newest
   WHERE ip_address IS NOT NULL GROUP BY ip_address ORDER BY failures DESC, "lastAt" DESC, ip_address LIMIT $1::int`,
);

/** The numbers of one day in UTC. */
export interface ActivityDay {
  day: string;
  signIns: number;
  failedSignIns: number;
  registrations: number;
  signedInUsers: number;
}

/** Counts sign-ins and registrations by day from the audit log, and reads the numbers. */
export class ActivityRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Counts up to about `limit` entries, each once, whatever the order of commits and the clocks: numbers and cursor move together,
   * and other replicas wait. Returns the number of entries; fewer than `limit` means that all are counted.
   */
  async count(limit: number): Promise<number> {
    return this.#database.transaction(async (trx) => {
      await this.#lock(trx);
      // A statement of its own: its snapshot shows what the replica that held the lock has counted.
      const [row] = await this.#database.query<{ entries: string }>(COUNT, [limit], trx);
      return toCount(row?.entries);
    });
  }

  async #lock(trx: Transaction): Promise<void> {
    await this.#database.query(LOCK, [], trx);
    await this.#database.query(BEGIN_ANEW, [], trx);
  }

  /** Returns the numbers of the last days, today's last, and the time at which the log was last counted completely. */
  async read(days: number): Promise<{ days: ActivityDay[]; countedAt: Date | null }> {
    const rows = await this.#database.query<ActivityDay & { countedAt: Date | null }>(DAYS, [days]);
    return { days: rows.map(({ countedAt: _, ...day }) => day), countedAt: rows[0]?.countedAt ?? null };
  }

  /** Returns the IP addresses with the most failed sign-ins of the last 24 hours, of the newest 10,000. */
  async failingAddresses(limit: number): Promise<{ ipAddress: string; failures: number; lastAt: Date }[]> {
    return this.#database.query(FAILING_ADDRESSES, [limit]);
  }
}
