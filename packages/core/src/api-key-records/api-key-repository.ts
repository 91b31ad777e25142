import { newId } from '../kernel/id.js';
import type { Page, PageRequest } from '../kernel/page.js';
import { mailInsertFrom } from '../mail/outbox-repository.js';
import { statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import { apiKeyColumns, toApiKey, type ApiKeyRow } from './api-key-row.js';
import { API_KEY_LIMITS, API_KEYS_PER_HOUR, type ApiKey, type ApiKeyRevokeReason } from './api-key.js';

/** The owner of keys: a user, or a company for its company keys. */
export type ApiKeyOwner = { userId: string } | { companyId: string };

/** A key to insert. */
export type NewApiKey = Pick<
  ApiKey,
  | 'kind'
  | 'companyId'
  | 'userId'
  | 'createdByUserId'
  | 'createdAcr'
  | 'name'
  | 'hint'
  | 'modules'
  | 'permissions'
> & {
  digest: Buffer;
  /** Seconds; null for a key that does not expire. */
  lifetime: number | null;
};

/** The new text of a key. @param overlap seconds for which the former one is accepted. */
interface Rotation {
  digest: Buffer;
  hint: string;
  overlap: number;
  /** The level of the session that rotates it. */
  acr: AuthenticationLevel | undefined;
}

/** Keys expire so many days after their notice. */
const NOTICE = `interval '7 days'`;
const IS_ACTIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';
const OF_USER = 'user_id = $1';
const OF_COMPANY = `company_id = $1 AND kind = 'COMPANY'`;

// A key of a short life is not announced: its owner has just made it.
const INSERT = statement(
  'api_key_insert',
  `INSERT INTO api_keys (id, kind, company_id, user_id, created_by_user_id, created_acr, name, digest, hint, modules,
     permissions, expires_at, expiry_noticed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $12::float8),
     CASE WHEN make_interval(secs => $12::float8) <= ${NOTICE} THEN now() END)
   RETURNING ${apiKeyColumns()}`,
);
const counts = (name: string, owner: string, isMaker: string): Statement =>
  statement(
    `api_key_counts_of_${name}`,
    `SELECT (SELECT count(*) FROM api_keys WHERE ${owner} AND ${IS_ACTIVE}) AS active,
       (SELECT count(*) FROM api_keys WHERE ${isMaker} AND created_at > now() - interval '1 hour') AS made`,
  );
const COUNTS_OF_USER = counts('user', OF_USER, 'created_by_user_id = $2::uuid');
const COUNTS_OF_COMPANY = counts(
  'company',
  OF_COMPANY,
  `(CASE WHEN $2::uuid IS NULL THEN ${OF_COMPANY} AND created_by_user_id IS NULL ELSE created_by_user_id = $2 END)`,
);
const list = (name: string, owner: string): Statement =>
  statement(
    `api_key_list_of_${name}`,
    `SELECT ${apiKeyColumns()}, count(*) OVER () AS total FROM api_keys WHERE ${owner} AND ${IS_ACTIVE}
     ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
  );
const LIST_OF_USER = list('user', OF_USER);
const LIST_OF_COMPANY = list('company', OF_COMPANY);

const change = (name: string, set: string, owner: string): Statement =>
  statement(
    `api_key_change_${name}`,
    `UPDATE api_keys SET ${set} WHERE id = $2 AND ${owner} AND ${IS_ACTIVE} RETURNING ${apiKeyColumns()}`,
  );
const RENAME_OF_USER = change('rename_of_user', 'name = $3', OF_USER);
const RENAME_OF_COMPANY = change('rename_of_company', 'name = $3', OF_COMPANY);
const ROTATED = `digest = $3, hint = $4,
     former_digest = CASE WHEN $5::float8 > 0 THEN digest END,
     former_until = CASE WHEN $5::float8 > 0 THEN now() + make_interval(secs => $5::float8) END,
     created_acr = CASE WHEN $6::text = 'aal2' OR created_acr IS NULL THEN created_acr ELSE 'aal1' END`;
const ROTATE_OF_USER = change('rotate_of_user', ROTATED, OF_USER);
const ROTATE_OF_COMPANY = change('rotate_of_company', ROTATED, OF_COMPANY);
const REVOKED = 'revoked_at = now(), revoke_reason = $3';
const REVOKE_OF_USER = change('revoke_of_user', REVOKED, OF_USER);
const REVOKE_OF_COMPANY = change('revoke_of_company', REVOKED, OF_COMPANY);

// In the order of the ids, as everything that locks several keys.
const REVOKE_ALL = statement(
  'api_key_revoke_all',
  `WITH ended AS MATERIALIZED (
     SELECT id FROM api_keys WHERE user_id = $1 AND ($3::uuid IS NULL OR company_id = $3) AND revoked_at IS NULL
     ORDER BY id FOR UPDATE
   )
   UPDATE api_keys SET revoked_at = now(), revoke_reason = $2 FROM ended WHERE api_keys.id = ended.id
   RETURNING api_keys.id, company_id`,
);
const TOUCH = statement(
  'api_key_touch',
  `UPDATE api_keys SET last_used_at = now(), last_used_ip = used.ip
   FROM unnest($1::uuid[], $2::text[]) AS used (id, ip) WHERE api_keys.id = used.id
     AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
);
/** Of a key of a company, its creator is notified, who may have left the company since. */
const NOTICE_EXPIRING = statement(
  'api_key_notice_expiring',
  `WITH due AS MATERIALIZED (
     SELECT k.id FROM api_keys k
     WHERE k.revoked_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + ${NOTICE}
       AND k.expiry_noticed_at IS NULL
     ORDER BY k.expires_at, k.id LIMIT $1 FOR UPDATE SKIP LOCKED
   ), noticed AS (
     UPDATE api_keys SET expiry_noticed_at = now() FROM due WHERE api_keys.id = due.id
     RETURNING api_keys.id AS key_id, coalesce(user_id, created_by_user_id) AS owner_id, kind, company_id, name, hint
   ), notices AS (
     SELECT u.id, u.email, u.full_name, jsonb_build_object('id', gen_random_uuid(), 'kind', 'api_key_expiring', 'payload',
         jsonb_build_object('keyName', n.name, 'keyHint', n.hint)) AS notice
     FROM noticed n JOIN users u ON u.id = n.owner_id
     WHERE u.is_active AND u.approval_status = 'APPROVED' AND (n.kind = 'PERSONAL' OR u.global_role <> 'NONE' OR EXISTS (
       SELECT FROM company_memberships m WHERE m.user_id = u.id AND m.company_id = n.company_id AND m.is_active))
   ), mailed AS (${mailInsertFrom('notices', '$2::boolean', 'notices.notice')}
   ) SELECT key_id FROM noticed`,
);

/** Writes API keys: digests and names. A key that has ended is never changed. */
export class ApiKeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns why the owner may not have one more key; undefined if they may. Others cannot make one until the transaction ends: it
   * holds the row of the user, or `lockCompany`.
   * @param makerId the user who makes it; undefined for machines.
   */
  async limitOf(
    owner: ApiKeyOwner,
    makerId: string | undefined,
    trx: Transaction,
  ): Promise<'keys' | 'creations' | undefined> {
    const isUser = 'userId' in owner;
    const [row] = await this.#database.query<{ active: string; made: string }>(
      isUser ? COUNTS_OF_USER : COUNTS_OF_COMPANY,
      [idOf(owner), makerId ?? null],
      trx,
    );
    if (toCount(row?.active) >= API_KEY_LIMITS[isUser ? 'PERSONAL' : 'COMPANY']) return 'keys';
    return toCount(row?.made) >= API_KEYS_PER_HOUR ? 'creations' : undefined;
  }

  /** Makes other changes of the company's keys that take this lock wait until the transaction ends. */
  async lockCompany(companyId: string, trx: Transaction): Promise<void> {
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`api-keys:${companyId}`]);
  }

  async insert(key: NewApiKey, trx: Transaction): Promise<ApiKey> {
    const values = [
      newId(),
      key.kind,
      key.companyId,
      key.userId,
      key.createdByUserId,
      key.createdAcr,
      key.name,
      key.digest,
      key.hint,
      key.modules,
      key.permissions,
      key.lifetime,
    ];
    const inserted = one(await this.#database.query<ApiKeyRow>(INSERT, values, trx));
    if (!inserted) throw new TypeError('The API key was not written.');
    return inserted;
  }

  /** Returns a page of the active keys of an owner, newest first. */
  async list(owner: ApiKeyOwner, { limit, offset }: PageRequest): Promise<Page<ApiKey>> {
    const rows = await this.#database.query<ApiKeyRow & { total: string }>(
      'userId' in owner ? LIST_OF_USER : LIST_OF_COMPANY,
      [idOf(owner), limit, offset],
    );
    const [first] = rows;
    const total = first ? toCount(first.total) : await this.#count(owner, offset);
    return { items: rows.map(toApiKey), total, isTotalExact: true };
  }

  /** Returns an active key of an owner, locked until the transaction ends. */
  async lock(id: string, owner: ApiKeyOwner, trx: Transaction): Promise<ApiKey | undefined> {
    const rows = await trx('api_keys')
      .where({ id, ...('userId' in owner ? { user_id: owner.userId } : companyKeys(owner)) })
      .whereRaw(IS_ACTIVE)
      .forUpdate()
      .select<ApiKeyRow[]>('*');
    return one(rows);
  }

  /** Renames an active key. @returns undefined when the owner has no such key. */
  async rename(id: string, owner: ApiKeyOwner, name: string, trx: Transaction): Promise<ApiKey | undefined> {
    const rename = 'userId' in owner ? RENAME_OF_USER : RENAME_OF_COMPANY;
    return one(await this.#database.query<ApiKeyRow>(rename, [idOf(owner), id, name], trx));
  }

  /** Replaces the text of an active key, whose level is that of the session at most. @returns undefined when the owner has no such key. */
  async rotate(
    id: string,
    owner: ApiKeyOwner,
    { digest, hint, overlap, acr }: Rotation,
    trx: Transaction,
  ): Promise<ApiKey | undefined> {
    const rotate = 'userId' in owner ? ROTATE_OF_USER : ROTATE_OF_COMPANY;
    const values = [idOf(owner), id, digest, hint, overlap, acr ?? null];
    return one(await this.#database.query<ApiKeyRow>(rotate, values, trx));
  }

  /** Revokes an active key. @returns undefined when the owner has no such key: only one of several calls gets it. */
  async revoke(
    id: string,
    owner: ApiKeyOwner,
    reason: ApiKeyRevokeReason,
    trx: Transaction,
  ): Promise<ApiKey | undefined> {
    const revoke = 'userId' in owner ? REVOKE_OF_USER : REVOKE_OF_COMPANY;
    return one(await this.#database.query<ApiKeyRow>(revoke, [idOf(owner), id, reason], trx));
  }

  /**
   * Revokes the personal keys of a user, or those for one company. The transaction holds the row of the user.
   * @returns the keys that were not revoked before.
   */
  async revokeAllOf(
    { userId, companyId }: { userId: string; companyId?: string | undefined },
    reason: ApiKeyRevokeReason,
    trx: Transaction,
  ): Promise<Pick<ApiKey, 'id' | 'companyId'>[]> {
    const values = [userId, reason, companyId ?? null];
    const rows = await this.#database.query<Pick<ApiKeyRow, 'id' | 'company_id'>>(REVOKE_ALL, values, trx);
    return rows.map(({ id, company_id: ofCompany }) => ({ id, companyId: ofCompany }));
  }

  /**
   * Removes the personal keys of a user who is erased, and forgets who made company keys. The transaction holds the row of the user.
   * @returns the number of removed keys.
   */
  async removeAll(userId: string, trx: Transaction): Promise<number> {
    await trx('api_keys')
      .where({ created_by_user_id: userId, kind: 'COMPANY' })
      .update({ created_by_user_id: null });
    return trx('api_keys').where({ user_id: userId }).delete();
  }

  /** Records uses, at most one a minute of each key. */
  async touch(uses: readonly { id: string; ipAddress: string | null }[]): Promise<void> {
    const ids = uses.map(({ id }) => id);
    await this.#database.query(TOUCH, [ids, uses.map(({ ipAddress }) => ipAddress)]);
  }

  /**
   * Queues the notices of at most `limit` keys that expire within seven days, once for each key.
   * @param isMailed false marks them without a mail.
   * @returns the number of keys.
   */
  async noticeExpiring(limit: number, isMailed: boolean): Promise<number> {
    return (await this.#database.query(NOTICE_EXPIRING, [limit, isMailed])).length;
  }

  /** A page past the end has no row with the total. */
  async #count(owner: ApiKeyOwner, offset: number): Promise<number> {
    return offset === 0 ? 0 : (await this.list(owner, { limit: 1, offset: 0 })).total;
  }
}

const idOf = (owner: ApiKeyOwner): string => ('userId' in owner ? owner.userId : owner.companyId);

const companyKeys = ({ companyId }: { companyId: string }) => ({
  company_id: companyId,
  kind: 'COMPANY',
});

const one = ([row]: ApiKeyRow[]): ApiKey | undefined => row && toApiKey(row);
