import type { ApiKey } from '../api-key-records/api-key.js';
import {
  membershipColumns,
  moduleRulesColumn,
  toMemberships,
  type MembershipColumns,
  type ModuleRulesColumn,
} from '../memberships/membership-repository.js';
import { toDecidingRules } from '../memberships/membership-row.js';
import type { DecidingRules, Memberships } from '../memberships/membership.js';
import { batchOf, statement, type Database, type Statement } from '../storage/database.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import type { User } from '../users/user.js';

/** A key by the digest of its text, with its owner, read by one query. */
export interface ApiKeyState {
  key: Pick<
    ApiKey,
    'id' | 'kind' | 'companyId' | 'userId' | 'createdAcr' | 'name' | 'modules' | 'permissions'
  >;
  /** The end of this text of the key: it may be one before a rotation. */
  expiresAt: Date | null;
  isRevoked: boolean;
  isExpired: boolean;
  /** True if `last_used_at` is old enough for this use to be recorded. */
  isUseDue: boolean;
  /** The owner; undefined for a key of a company. */
  user: User | undefined;
}

/** The same with what the access of the owner depends on. */
export interface ApiKeyStateForAccess extends ApiKeyState {
  memberships: Memberships;
  moduleRules: DecidingRules;
}

interface StateRow extends UserRow {
  asked_digest: string;
  key_id: string;
  kind: ApiKey['kind'];
  company_id: string | null;
  user_id: string | null;
  created_acr: ApiKey['createdAcr'];
  name: string;
  modules: string[] | null;
  permissions: string[] | null;
  text_expires_at: Date | null;
  is_revoked: boolean;
  is_expired: boolean;
  is_use_due: boolean;
}

type RowForAccess = StateRow & MembershipColumns & ModuleRulesColumn;

const KEY =
  'id, kind, company_id, user_id, created_acr, name, modules, permissions, revoked_at, last_used_at';

/**
 * Returns the statement that reads keys by the digests of their texts, the one before a rotation included while it is accepted.
 * Unknown, expired and revoked keys take the same query.
 */
const ofDigests = (columns: string): string => `
  SELECT asked.digest AS asked_digest, found.* FROM unnest(${batchOf('$1', 'text')}) AS asked (digest)
  CROSS JOIN LATERAL (
    SELECT k.id AS key_id, k.kind, k.company_id, k.user_id, k.created_acr, k.name, k.modules, k.permissions,
      k.text_expires_at, k.revoked_at IS NOT NULL AS is_revoked,
      coalesce(k.text_expires_at <= now(), false) AS is_expired,
      coalesce(k.last_used_at < now() - interval '1 minute', true) AS is_use_due, ${columns}
    FROM (
      SELECT ${KEY}, expires_at AS text_expires_at FROM api_keys WHERE digest = decode(asked.digest, 'hex')
      UNION ALL
      SELECT ${KEY}, least(expires_at, former_until) FROM api_keys
      WHERE former_digest = decode(asked.digest, 'hex') AND former_until > now()
    ) AS k LEFT JOIN users u ON u.id = k.user_id LIMIT 1
  ) AS found`;

const USER = userColumns('u').join(', ');
const CHECK = statement('api_key_check', ofDigests(USER));
const CHECK_FOR_ACCESS = statement(
  'api_key_check_for_access',
  ofDigests(`${USER}, ${membershipColumns('u.id')}, ${moduleRulesColumn('u.id')}`),
);

/** Reads what requests with an API key need to know of it. */
export class ApiKeyStateQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the state of the keys with these digests in hexadecimal; unknown ones are missing. */
  check(digests: readonly string[]): Promise<Map<string, ApiKeyState>> {
    return this.#states(CHECK, digests, toState);
  }

  /** Returns the same with memberships and module rules of the owners, still in one query. */
  checkForAccess(digests: readonly string[]): Promise<Map<string, ApiKeyStateForAccess>> {
    return this.#states(CHECK_FOR_ACCESS, digests, (row) =>
      Object.assign(toState(row), {
        memberships: toMemberships(row),
        moduleRules: toDecidingRules(row.module_rules),
      }),
    );
  }

  async #states<State>(
    check: Statement,
    digests: readonly string[],
    read: (row: RowForAccess) => State,
  ): Promise<Map<string, State>> {
    const rows = await this.#database.query<RowForAccess>(check, [digests]);
    return new Map(rows.map((row) => [row.asked_digest, read(row)]));
  }
}

const toState = (row: StateRow): ApiKeyState => ({
  key: {
    id: row.key_id,
    kind: row.kind,
    companyId: row.company_id,
    userId: row.user_id,
    createdAcr: row.created_acr,
    name: row.name,
    modules: row.modules,
    permissions: row.permissions,
  },
  expiresAt: row.text_expires_at,
  isRevoked: row.is_revoked,
  isExpired: row.is_expired,
  isUseDue: row.is_use_due,
  user: row.user_id === null ? undefined : toUser(row),
});
