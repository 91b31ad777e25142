import type { SecretColumn } from '../encryption/reencryption.js';
import type { EncryptedValue } from '../encryption/value-cipher.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import {
  placeOfSecret,
  type DisabledReason,
  type EndpointSecrets,
  type SecretColumnName,
  type WebhookEndpoint,
} from './webhook-endpoint.js';

interface EndpointRow {
  id: string;
  company_id: string | null;
  url: string;
  events: string[];
  description: string;
  is_active: boolean;
  disabled_reason: DisabledReason | null;
  failing_since: Date | null;
  former_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, company_id, url, events, description, is_active, disabled_reason, failing_since,
  CASE WHEN former_until > now() THEN former_until END AS former_until, created_at, updated_at`;

/** Only one transaction at a time counts and adds endpoints of one owner. */
const LOCK_OWNER = statement(
  'webhook_lock_owner',
  `SELECT pg_advisory_xact_lock(hashtextextended('webhooks:' || coalesce($1::uuid::text, ''), 0))`,
);
const INSERT = statement(
  'webhook_insert',
  `INSERT INTO webhook_endpoints (id, company_id, url, events, description, secret, secret_key_id, created_by_user_id)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8
   WHERE (SELECT count(*) FROM webhook_endpoints WHERE company_id IS NOT DISTINCT FROM $2::uuid) < $9::int
   RETURNING ${COLUMNS}`,
);
// Two statements, because an index serves no IS NOT DISTINCT FROM.
const LIST_PLATFORM = statement(
  'webhook_list_platform',
  `SELECT ${COLUMNS} FROM webhook_endpoints WHERE company_id IS NULL ORDER BY created_at, id`,
);
const LIST_COMPANY = statement(
  'webhook_list_company',
  `SELECT ${COLUMNS} FROM webhook_endpoints WHERE company_id = $1 ORDER BY created_at, id`,
);
const LOCK = statement('webhook_lock', `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1 FOR UPDATE`);
const FIND = statement('webhook_find', `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1`);
const UPDATE = statement(
  'webhook_update',
  `UPDATE webhook_endpoints SET url = $2, events = $3, description = $4, is_active = $5, updated_at = now(),
     disabled_reason = CASE WHEN $5 THEN NULL ELSE disabled_reason END,
     failing_since = CASE WHEN $5 AND NOT is_active THEN NULL ELSE failing_since END
   WHERE id = $1 RETURNING ${COLUMNS}`,
);
const DELETE = statement('webhook_delete', 'DELETE FROM webhook_endpoints WHERE id = $1 RETURNING id');
const SECRETS = statement(
  'webhook_secrets',
  `SELECT url, is_active, secret, secret_key_id,
     CASE WHEN former_until > now() THEN former_secret END AS former_secret, former_secret_key_id
   FROM webhook_endpoints WHERE id = $1`,
);
const ROTATE = statement(
  'webhook_rotate',
  `UPDATE webhook_endpoints SET secret = $2, secret_key_id = $3, former_secret = $4, former_secret_key_id = $5,
     former_until = CASE WHEN $4::bytea IS NULL THEN NULL ELSE now() + make_interval(secs => $6::float8) END, updated_at = now()
   WHERE id = $1 RETURNING ${COLUMNS}`,
);
const WANTING = statement(
  'webhook_wanting',
  `SELECT id, company_id AS "companyId", events FROM webhook_endpoints
   WHERE is_active AND company_id IS NULL
   UNION ALL
   SELECT id, company_id, events FROM webhook_endpoints WHERE is_active AND company_id = ANY($1::uuid[])`,
);
const NOTE_SUCCESS = statement(
  'webhook_note_success',
  'UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL RETURNING id',
);
/** Disables the endpoint at the first failure that is one too many, so that this is recorded once. */
const NOTE_FAILURE = statement(
  'webhook_note_failure',
  `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, now()),
     is_active = NOT ($2::boolean OR coalesce(failing_since < now() - interval '5 days', false)),
     disabled_reason = CASE WHEN $2::boolean THEN 'gone' WHEN failing_since < now() - interval '5 days' THEN 'failing' END
   WHERE id = $1 AND is_active AND ($2::boolean OR failing_since IS NULL OR failing_since < now() - interval '5 days')
   RETURNING ${COLUMNS}, created_by_user_id`,
);
/** The recipients of the notice: the creator, and the administrators of the company. */
/** The creator may have lost the role or left the company since. */
const RECIPIENTS = statement(
  'webhook_recipients',
  `SELECT DISTINCT email, full_name AS "fullName" FROM users
   WHERE id = ANY(ARRAY(
       SELECT id FROM users WHERE id = $1::uuid AND global_role IN ('PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN') UNION
       SELECT user_id FROM company_memberships WHERE company_id = $2 AND is_active AND role IN ('ADMIN', 'TENANT_SUPERADMIN')))
     AND is_active AND approval_status = 'APPROVED' AND erased_at IS NULL
   ORDER BY email LIMIT 50`,
);
const COUNTS = statement(
  'webhook_counts',
  `SELECT count(*) FILTER (WHERE is_active) AS active, count(*) FILTER (WHERE disabled_reason IS NOT NULL) AS disabled,
     count(*) FILTER (WHERE is_active AND failing_since < now() - interval '1 hour') AS failing
   FROM webhook_endpoints`,
);
const FORGET_SNAPSHOTS = statement(
  'webhook_forget_snapshots',
  'UPDATE webhook_endpoints SET created_snapshot = pg_current_snapshot()::text RETURNING id',
);

const ofOtherKeys = (column: SecretColumnName) =>
  statement(
    `webhook_${column}_of_other_keys`,
    `SELECT id, ${column} AS secret, ${column}_key_id AS key_id FROM webhook_endpoints
     WHERE ${column}_key_id <> $1 AND id > $2 ORDER BY id LIMIT $3`,
  );
const replaceSecret = (column: SecretColumnName) =>
  statement(
    `webhook_${column}_replace`,
    `UPDATE webhook_endpoints SET ${column} = $3, ${column}_key_id = $4 WHERE id = $1 AND ${column} = $2 RETURNING id`,
  );
const STATEMENTS = {
  secret: { ofOtherKeys: ofOtherKeys('secret'), replace: replaceSecret('secret') },
  former_secret: { ofOtherKeys: ofOtherKeys('former_secret'), replace: replaceSecret('former_secret') },
} as const;

/** A new endpoint. */
interface NewEndpoint extends Pick<WebhookEndpoint, 'id' | 'companyId' | 'url' | 'events' | 'description'> {
  secret: EncryptedValue;
  createdByUserId: string | undefined;
}

/** Stores the receivers of messages. */
export class WebhookEndpointRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds an endpoint, unless its owner has as many as allowed. Others of the owner wait for the end of the transaction. */
  async insert(endpoint: NewEndpoint, most: number, trx: Transaction): Promise<WebhookEndpoint | undefined> {
    const { id, companyId, url, events, description, secret, createdByUserId = null } = endpoint;
    await this.#database.query(LOCK_OWNER, [companyId], trx);
    const values = [
      id,
      companyId,
      url,
      events,
      description,
      secret.bytes,
      secret.keyId,
      createdByUserId,
      most,
    ];
    return first(await this.#database.query<EndpointRow>(INSERT, values, trx));
  }

  /** Returns the endpoints of a company, or of the platform, oldest first. */
  async list(companyId: string | null): Promise<WebhookEndpoint[]> {
    const rows =
      companyId === null
        ? await this.#database.query<EndpointRow>(LIST_PLATFORM, [])
        : await this.#database.query<EndpointRow>(LIST_COMPANY, [companyId]);
    return rows.map(toEndpoint);
  }

  async find(id: string): Promise<WebhookEndpoint | undefined> {
    return first(await this.#database.query<EndpointRow>(FIND, [id]));
  }

  async lock(id: string, trx: Transaction): Promise<WebhookEndpoint | undefined> {
    return first(await this.#database.query<EndpointRow>(LOCK, [id], trx));
  }

  /** Writes what administrators may change, of a locked endpoint. */
  async update(endpoint: WebhookEndpoint, trx: Transaction): Promise<WebhookEndpoint | undefined> {
    const { id, url, events, description, isActive } = endpoint;
    return first(
      await this.#database.query<EndpointRow>(UPDATE, [id, url, events, description, isActive], trx),
    );
  }

  /** Removes an endpoint with its deliveries. */
  async remove(id: string, trx: Transaction): Promise<void> {
    await this.#database.query(DELETE, [id], trx);
  }

  /** Returns address and secrets of an endpoint; undefined if it was removed. */
  async secretsOf(
    id: string,
    trx?: Transaction,
  ): Promise<(EndpointSecrets & { url: string; isActive: boolean }) | undefined> {
    const [row] = await this.#database.query<{
      url: string;
      is_active: boolean;
      secret: Buffer;
      secret_key_id: string;
      former_secret: Buffer | null;
      former_secret_key_id: string | null;
    }>(SECRETS, [id], trx);
    if (!row) return undefined;
    const { former_secret: former, former_secret_key_id: formerKeyId } = row;
    return {
      url: row.url,
      isActive: row.is_active,
      secret: { keyId: row.secret_key_id, bytes: row.secret },
      formerSecret: former && formerKeyId !== null ? { keyId: formerKeyId, bytes: former } : undefined,
    };
  }

  /** Replaces the secret of a locked endpoint; the former one signs for some seconds more. */
  async rotate(
    id: string,
    { secret, formerSecret }: EndpointSecrets,
    overlapSeconds: number,
    trx: Transaction,
  ): Promise<WebhookEndpoint | undefined> {
    const former = [formerSecret?.bytes ?? null, formerSecret?.keyId ?? null];
    const values = [id, secret.bytes, secret.keyId, ...former, overlapSeconds];
    return first(await this.#database.query<EndpointRow>(ROTATE, values, trx));
  }

  /** Returns the active endpoints of the platform and of some companies. */
  async wanting(
    companyIds: readonly string[],
    trx: Transaction,
  ): Promise<Pick<WebhookEndpoint, 'id' | 'companyId' | 'events'>[]> {
    return this.#database.query(WANTING, [companyIds], trx);
  }

  async noteSuccess(id: string): Promise<void> {
    await this.#database.query(NOTE_SUCCESS, [id]);
  }

  /**
   * Records a failure of an active endpoint, and disables it if the receiver is gone or has failed for five days.
   * @returns the endpoint with its creator if it was disabled by this; else undefined.
   */
  async noteFailure(
    id: string,
    isGone: boolean,
    trx: Transaction,
  ): Promise<{ endpoint: WebhookEndpoint; createdByUserId: string | null } | undefined> {
    const [row] = await this.#database.query<EndpointRow & { created_by_user_id: string | null }>(
      NOTE_FAILURE,
      [id, isGone],
      trx,
    );
    if (!row || row.is_active) return undefined;
    return { endpoint: toEndpoint(row), createdByUserId: row.created_by_user_id };
  }

  /** Returns who is notified about an endpoint. */
  async recipients(
    createdByUserId: string | null,
    companyId: string | null,
    trx: Transaction,
  ): Promise<{ email: string; fullName: string | null }[]> {
    return this.#database.query(RECIPIENTS, [createdByUserId, companyId], trx);
  }

  /** Returns numbers of endpoints; `failing` have not had a success for an hour. */
  async counts(): Promise<{ active: number; disabled: number; failing: number }> {
    const [row] = await this.#database.query<Record<'active' | 'disabled' | 'failing', string>>(COUNTS, []);
    return {
      active: toCount(row?.active),
      disabled: toCount(row?.disabled),
      failing: toCount(row?.failing),
    };
  }

  /** Lets every endpoint begin at the present, in a database where ids of transactions began anew. */
  async forgetSnapshots(trx: Transaction): Promise<void> {
    await this.#database.query(FORGET_SNAPSHOTS, [], trx);
  }

  /** Returns the columns with secrets. */
  get secretColumns(): SecretColumn[] {
    return (['secret', 'former_secret'] as const).map((column) => ({
      ofOtherKeys: async (keyId, after, limit) => {
        const values = [keyId, after, limit];
        const rows = await this.#database.query<{ id: string; secret: Buffer; key_id: string }>(
          STATEMENTS[column].ofOtherKeys,
          values,
        );
        return rows.map(({ id, secret: bytes, key_id }) => ({
          id,
          place: placeOfSecret(column, id),
          secret: { keyId: key_id, bytes },
        }));
      },
      replace: async ({ id, secret }, next) => {
        const values = [id, secret.bytes, next.bytes, next.keyId];
        return (await this.#database.query(STATEMENTS[column].replace, values)).length > 0;
      },
    }));
  }
}

const first = ([row]: readonly EndpointRow[]): WebhookEndpoint | undefined => row && toEndpoint(row);

const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  companyId: row.company_id,
  url: row.url,
  events: row.events,
  description: row.description,
  isActive: row.is_active,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  formerSecretUntil: row.former_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
