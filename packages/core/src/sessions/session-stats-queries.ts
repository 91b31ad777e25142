import type { Database } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import type { SessionStats } from './session-schema.js';

/** Limits of what is read. */
interface StatsLimits {
  /** Numbers are exact up to about this many sessions that are not revoked, expired ones included. */
  maxCounted: number;
  /** Blocks of the table that a sample reads. */
  sampledBlocks: number;
}

/** 400 blocks have about 7,000 sessions. */
const LIMITS: StatsLimits = { maxCounted: 100_000, sampledBlocks: 400 };
/** The share of a sample for whose users all sessions are read. Each costs a look-up in the index. */
const PROBED = 0.12;

const BLOCKS = `pg_relation_size('sessions') / current_setting('block_size')::int`;
const IS_ACTIVE = 'NOT is_revoked AND expires_at > now()';

/**
 * A user with `k` active sessions is met `k` times among active sessions, so the mean of `1 / k` over a sample of
 * them is the number of users per session.
 */
const SAMPLE = `
  WITH sampled AS MATERIALIZED (
    SELECT user_id, (ctid::text::point)[0] AS block, NOT is_revoked AS is_live, ${IS_ACTIVE} AS is_active,
      random() < ${PROBED} AS is_probed
    FROM sessions TABLESAMPLE SYSTEM (least(100, 100.0 * ? / greatest(1, ${BLOCKS})))
  ), probed AS (
    SELECT 1.0 / count(*) AS user_share
    FROM (SELECT row_number() OVER () AS number, user_id FROM sampled WHERE is_active AND is_probed) AS p
    JOIN sessions s ON s.user_id = p.user_id AND NOT s.is_revoked AND s.expires_at > now()
    GROUP BY p.number
  )
  SELECT count(*) FILTER (WHERE is_live) AS live, count(*) FILTER (WHERE is_active) AS active,
    ${BLOCKS}::float8 / greatest(1, count(DISTINCT block)) AS factor,
    (SELECT avg(user_share)::float8 FROM probed) AS users_per_session
  FROM sampled`;

const COUNT = `
  SELECT coalesce(sum(sessions), 0) AS sessions, count(*) AS users
  FROM (SELECT count(*) AS sessions FROM sessions WHERE ${IS_ACTIVE} GROUP BY user_id) AS per_user`;

interface SampleRow {
  live: string;
  active: string;
  /** Blocks of the table for each sampled one. */
  factor: number;
  /** Null when no sampled session is active. */
  users_per_session: number | null;
}

/**
 * Counts active sessions and their users. An index that contains `expires_at` would answer at any size, but every
 * rotation changes that column and would then write to all indexes; a kept counter does not notice when a session
 * expires. So large tables are sampled.
 */
export class SessionStatsQueries {
  readonly #database: Database;
  readonly #limits: StatsLimits;

  constructor(database: Database, limits: StatsLimits = LIMITS) {
    this.#database = database;
    this.#limits = limits;
  }

  async read(): Promise<SessionStats> {
    const { maxCounted, sampledBlocks } = this.#limits;
    const sample = await this.#readRow<SampleRow>(SAMPLE, [sampledBlocks]);
    const isSmall = toCount(sample.live) * sample.factor <= maxCounted;
    return isSmall ? this.#count() : estimateFrom(sample);
  }

  async #count(): Promise<SessionStats> {
    const row = await this.#readRow<{ users: string; sessions: string }>(COUNT);
    return { connectedUsers: toCount(row.users), activeSessions: toCount(row.sessions) };
  }

  async #readRow<Row>(sql: string, values: number[] = []): Promise<Row> {
    return this.#database.run(async (knex) => {
      const { rows } = await knex.raw<{ rows: [Row] }>(sql, values);
      return rows[0];
    });
  }
}

function estimateFrom({ active, factor, users_per_session }: SampleRow): SessionStats {
  const activeSessions = Math.round(toCount(active) * factor);
  const connectedUsers = Math.round(activeSessions * (users_per_session ?? 0));
  return { connectedUsers, activeSessions, isEstimate: true };
}
