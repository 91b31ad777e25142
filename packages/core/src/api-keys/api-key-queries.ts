import { apiKeyColumns, toApiKey, type ApiKeyRow } from '../api-key-records/api-key-row.js';
import type { ApiKey } from '../api-key-records/api-key.js';
import { idRangeOf } from '../kernel/id-prefix.js';
import type { Page, PageRequest } from '../kernel/page.js';
import { statement, type Database } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';

/** The keys of a list; all active ones without a condition. */
interface KeyFilter {
  userId?: string | undefined;
  companyId?: string | undefined;
  /** Not used for this many seconds. */
  unusedSeconds?: number | undefined;
  /** Expires within this many seconds. */
  expiringSeconds?: number | undefined;
}

const LIST = statement(
  'api_key_list_all',
  `SELECT ${apiKeyColumns()}, count(*) OVER () AS total FROM api_keys
   WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
     AND ($1::uuid IS NULL OR user_id = $1 OR created_by_user_id = $1) AND ($2::uuid IS NULL OR company_id = $2)
     AND ($3::float8 IS NULL OR coalesce(last_used_at, created_at) < now() - make_interval(secs => $3))
     AND ($4::float8 IS NULL OR expires_at < now() + make_interval(secs => $4))
   ORDER BY created_at DESC, id DESC LIMIT $5 OFFSET $6`,
);
const BY_DIGEST = statement(
  'api_key_by_digest',
  `SELECT ${apiKeyColumns()} FROM api_keys WHERE digest = $1
   UNION ALL SELECT ${apiKeyColumns()} FROM api_keys WHERE former_digest = $1 LIMIT 1`,
);

/** Reads the keys of all owners, for operators. */
export class ApiKeyQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns active keys, newest first. */
  async list(filter: KeyFilter, { limit, offset }: PageRequest): Promise<Page<ApiKey>> {
    const { userId = null, companyId = null, unusedSeconds = null, expiringSeconds = null } = filter;
    const rows = await this.#database.query<ApiKeyRow & { total: string }>(LIST, [
      userId,
      companyId,
      unusedSeconds,
      expiringSeconds,
      limit,
      offset,
    ]);
    return { items: rows.map(toApiKey), total: toCount(rows[0]?.total), isTotalExact: true };
  }

  /** Returns the keys whose id starts with the prefix, also ended ones, newest first. */
  async findByPrefix(prefix: string, limit: number): Promise<ApiKey[]> {
    const ids = idRangeOf(prefix);
    if (!ids) return [];
    const rows = await this.#database.run((knex) =>
      knex('api_keys')
        .whereBetween('id', [ids.first, ids.last])
        .orderBy('id', 'desc')
        .limit(limit)
        .select<ApiKeyRow[]>('*'),
    );
    return rows.map(toApiKey);
  }

  /** Returns the key of a text, also one that has ended, and that of a text before a rotation. */
  async findByDigest(digest: Buffer): Promise<ApiKey | undefined> {
    const [row] = await this.#database.query<ApiKeyRow>(BY_DIGEST, [digest]);
    return row && toApiKey(row);
  }
}
