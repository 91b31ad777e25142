import { type Database, statement } from '@latchkey/core/internal/storage/database';

/** The state of the outbox: waiting and failed mail. */
export interface OutboxState {
  waiting: number;
  /** Seconds since the oldest waiting mail was queued; 0 if none waits. */
  oldestWait: number;
  /** Mails given up in the last seven days. */
  givenUp: number;
  lastError: string | null;
}

/** The share of dead rows of a table that vacuum has not removed. */
export interface TableState {
  name: string;
  live: number;
  dead: number;
}

/** Webhooks that do not work. */
export interface WebhookState {
  /** Active endpoints, and those without a success for an hour. */
  active: number;
  failing: number;
  disabled: number;
  /** Seconds since the oldest entry of the audit log that is not queued yet; 0 without one or without an endpoint. */
  behind: number;
}

/** Number of secrets that a key encrypts: of authenticator apps, of sets of recovery codes, and of webhooks. */
export interface FactorKeyUse {
  /** Null for recovery codes of earlier versions, which have no key. */
  keyId: string | null;
  count: number;
}

/** Numbers of active API keys: without an end, unused for 90 days, and of companies by creators who may not sign in. */
export interface ApiKeyState {
  withoutEnd: number;
  unused: number;
  ofInactiveCreators: number;
}

/** Accounts whose erasure is overdue by more than a day, and seconds since the oldest was due; 0 without any. */
export interface DeletionState {
  overdue: number;
  oldest: number;
}

const SUPERADMINS = statement(
  'doctor_superadmins',
  `select count(*)::int as count from users
   where global_role = 'PLATFORM_SUPERADMIN' and is_active and approval_status = 'APPROVED'`,
);

const OUTBOX = statement(
  'doctor_outbox',
  `select count(*) filter (where status = 'PENDING')::int as waiting,
     coalesce(greatest(extract(epoch from now() - min(case when last_error is null then next_attempt_at else created_at end)
       filter (where status = 'PENDING')), 0), 0)::float8 as "oldestWait",
     count(*) filter (where status = 'DEAD' and created_at > now() - interval '7 days')::int as "givenUp",
     (array_agg(last_error order by created_at desc) filter (where last_error is not null))[1] as "lastError"
   from mail_outbox where status in ('PENDING', 'DEAD')`,
);

/**
 * Reads a part of the table only, in the order of its pages, where the oldest rows tend to be: safe for large
 * tables.
 */
const ENDED_SESSIONS = statement(
  'doctor_ended_sessions',
  `select count(*) filter (where expires_at < now() - interval '90 days'
                              or revoked_at < now() - interval '90 days')::int as ended,
     count(*)::int as seen
   from (select expires_at, revoked_at from sessions limit $1::int) as first`,
);

/** The first entry of the index. */
const OLDEST_REVOCATION = statement(
  'doctor_oldest_revocation',
  `select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age from revocations`,
);

const FACTOR_KEYS = statement(
  'doctor_factor_keys',
  `select key_id as "keyId", count(*)::int as count from (
     select key_id from totp_factors where confirmed_at is not null
     union all
     select key_id from (select distinct user_id, key_id from recovery_codes) as set
     union all
     select secret_key_id from webhook_endpoints
     union all
     select former_secret_key_id from webhook_endpoints where former_until > now()
   ) as secret
   group by key_id order by key_id`,
);

const API_KEYS = statement(
  'doctor_api_keys',
  `select count(*) filter (where k.expires_at is null)::int as "withoutEnd",
     count(*) filter (where coalesce(k.last_used_at, k.created_at) < now() - interval '90 days')::int as unused,
     count(*) filter (where k.kind = 'COMPANY' and u.id is not null
       and not (u.is_active and u.approval_status = 'APPROVED'))::int as "ofInactiveCreators"
   from api_keys k left join users u on u.id = k.created_by_user_id
   where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
);

const WEBHOOKS = statement(
  'doctor_webhooks',
  `select count(*) filter (where is_active)::int as active, count(*) filter (where disabled_reason is not null)::int as disabled,
     count(*) filter (where is_active and failing_since < now() - interval '1 hour')::int as failing,
     coalesce((select greatest(extract(epoch from now() - next.occurred_at), 0) from webhook_cursor c
       cross join lateral (select occurred_at from auth_audit_logs
         where transaction_id >= c.queued_to and (transaction_id, id) > (c.queued_to, c.queued_id)
         order by transaction_id, id limit 1) next
       where exists (select from webhook_endpoints where is_active)), 0)::float8 as behind
   from webhook_endpoints`,
);

/** Users who have become staff are left out by the erasure, too. */
const DELETIONS = statement(
  'doctor_deletions',
  `select count(*)::int as overdue, coalesce(extract(epoch from now() - min(delete_at)), 0)::float8 as oldest from users
   where delete_at < now() - interval '1 day' and not is_active and global_role = 'NONE'`,
);

const TABLES = statement(
  'doctor_tables',
  `select relname as name, n_live_tup::float8 as live, n_dead_tup::float8 as dead
   from pg_stat_user_tables where schemaname = current_schema()`,
);

/** Reads facts from the service's own tables: of the large ones, only those of second factors and API keys whole. */
export class ContentFactsRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the number of superadmins who can sign in. */
  async superadmins(): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(SUPERADMINS, []);
    return row?.count ?? 0;
  }

  async outbox(): Promise<OutboxState> {
    const [row] = await this.#database.query<OutboxState>(OUTBOX, []);
    return row ?? { waiting: 0, oldestWait: 0, givenUp: 0, lastError: null };
  }

  /** Returns the number of sessions that ended 90 days ago or earlier, among at most `limit`. */
  async endedSessions(limit: number): Promise<{ ended: number; seen: number }> {
    const [row] = await this.#database.query<{ ended: number; seen: number }>(ENDED_SESSIONS, [limit]);
    return row ?? { ended: 0, seen: 0 };
  }

  /** Returns the seconds since the oldest entry of the revocation feed was written; 0 without any. */
  async oldestRevocation(): Promise<number> {
    const [row] = await this.#database.query<{ age: number }>(OLDEST_REVOCATION, []);
    return row?.age ?? 0;
  }

  /** Returns the numbers of active API keys that deserve a look. */
  async apiKeys(): Promise<ApiKeyState> {
    const [row] = await this.#database.query<ApiKeyState>(API_KEYS, []);
    return row ?? { withoutEnd: 0, unused: 0, ofInactiveCreators: 0 };
  }

  /** Returns the number of secrets of second factors by the fingerprint of the key that encrypts them. */
  factorKeys(): Promise<FactorKeyUse[]> {
    return this.#database.query<FactorKeyUse>(FACTOR_KEYS, []);
  }

  async webhooks(): Promise<WebhookState> {
    const [row] = await this.#database.query<WebhookState>(WEBHOOKS, []);
    return row ?? { active: 0, failing: 0, disabled: 0, behind: 0 };
  }

  async deletions(): Promise<DeletionState> {
    const [row] = await this.#database.query<DeletionState>(DELETIONS, []);
    return row ?? { overdue: 0, oldest: 0 };
  }

  tables(): Promise<TableState[]> {
    return this.#database.query<TableState>(TABLES, []);
  }
}
