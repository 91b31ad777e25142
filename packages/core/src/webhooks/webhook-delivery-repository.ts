import { bulkRows } from '../storage/bulk-insert.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import type { SourceEntry } from './webhook-event.js';
import type { DELIVERY_ERRORS, DELIVERY_STATUSES, WebhookDeliveryView } from './webhook-schema.js';

/** A delivery that was claimed for one attempt. */
export interface ClaimedDelivery {
  id: string;
  endpointId: string;
  event: string;
  payload: string;
  /** Number of the attempt, from 1. It identifies the claim. */
  attempts: number;
}

/** A delivery to be queued, unless the endpoint has it already. */
export interface NewDelivery {
  id: string;
  endpoint_id: string;
  audit_id: string;
  event: string;
  payload: string;
  /** The transaction that wrote the entry. */
  transaction_id: string | null;
}

/** The result of an attempt. */
export interface AttemptResult {
  status: 'PENDING' | 'SENT' | 'DEAD' | 'SKIPPED';
  lastStatus: number | null;
  lastError: (typeof DELIVERY_ERRORS)[number] | null;
  /** Of a delivery that is retried. */
  inSeconds?: number;
}

interface EntryRow extends SourceEntry {
  transactionId: string;
}

interface DeliveryRow {
  id: string;
  event: string;
  auditId: string | null;
  status: (typeof DELIVERY_STATUSES)[number];
  attempts: number;
  nextAttemptAt: Date;
  lastStatus: number | null;
  lastError: (typeof DELIVERY_ERRORS)[number] | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** Numbers of deliveries that have not succeeded, by state. */
interface DeliveryBacklog extends Record<'waiting' | 'retrying' | 'failed', number> {
  /** Age in seconds of the oldest delivery that waits or is retried, at endpoints that are active; 0 without one. */
  oldestPending: number;
}

/** Locks and writes nothing, so that a service without endpoints costs the database a read. */
const IS_IDLE = statement(
  'webhook_is_idle',
  `SELECT 1 AS one FROM webhook_cursor
   WHERE queued_at > now() - interval '1 minute' AND NOT EXISTS (SELECT FROM webhook_endpoints WHERE is_active)`,
);

/** Other replicas do not wait: the one that holds the row follows the log. */
const LOCK_CURSOR = statement(
  'webhook_lock_cursor',
  'SELECT 1 AS one FROM webhook_cursor FOR UPDATE SKIP LOCKED',
);

/** Begins anew in a database that was restored into another cluster, where ids of transactions are lower. */
const BEGIN_ANEW = statement(
  'webhook_begin_anew',
  `UPDATE webhook_cursor SET queued_to = '0', queued_since = coalesce(queued_at, queued_since)
   WHERE queued_to >= pg_snapshot_xmax(pg_current_snapshot()) RETURNING only_row`,
);

const ENTRY = `id, occurred_at AS "occurredAt", event, outcome, actor, subject_user_id AS "subjectUserId",
  company_id AS "companyId", session_id AS "sessionId", details`;

/** Entries of transactions of which nothing can commit any more: those before the oldest one that is running. */
const ENTRIES = statement(
  'webhook_entries',
  `WITH place AS MATERIALIZED (SELECT queued_to, queued_id, queued_since FROM webhook_cursor)
   SELECT ${ENTRY}, transaction_id::text AS "transactionId" FROM auth_audit_logs, place
   WHERE transaction_id >= (SELECT queued_to FROM place)
     AND (transaction_id, id) > (place.queued_to, place.queued_id)
     AND transaction_id < pg_snapshot_xmin(pg_current_snapshot()) AND occurred_at >= place.queued_since
   ORDER BY transaction_id, id LIMIT $1::int`,
);

const MOVE = statement(
  'webhook_move_cursor',
  `UPDATE webhook_cursor SET queued_to = $1::text::xid8, queued_id = $2, queued_at = CASE WHEN $3 THEN clock_timestamp() ELSE queued_at END
   RETURNING only_row`,
);

/** Without an endpoint nothing is read: one that is created begins at its own commit. */
const SKIP_ALL = statement(
  'webhook_skip_all',
  `UPDATE webhook_cursor
   SET queued_to = (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8,
     queued_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff', queued_at = clock_timestamp()
   WHERE NOT EXISTS (SELECT FROM webhook_endpoints WHERE is_active) RETURNING only_row`,
);

const NEW_COLUMNS = {
  id: 'uuid',
  endpoint_id: 'uuid',
  audit_id: 'uuid',
  event: 'text',
  payload: 'text',
  transaction_id: 'text',
};

/** The row of the endpoint is locked against removal. What had been committed when it was created is not for it. */
const INSERT_ALL = statement(
  'webhook_delivery_insert_all',
  `WITH wanted AS MATERIALIZED (
     SELECT r.* FROM ${bulkRows('$1', NEW_COLUMNS)} JOIN webhook_endpoints e ON e.id = r.endpoint_id
     WHERE e.is_active AND NOT pg_visible_in_snapshot(r.transaction_id::xid8, e.created_snapshot::pg_snapshot)
     FOR KEY SHARE OF e)
   INSERT INTO webhook_deliveries (id, endpoint_id, audit_id, event, payload)
   SELECT id, endpoint_id, audit_id, event, payload FROM wanted
   ON CONFLICT (endpoint_id, audit_id) DO NOTHING RETURNING id`,
);

const REPLAY_ALL = statement(
  'webhook_delivery_replay_all',
  `INSERT INTO webhook_deliveries (id, endpoint_id, audit_id, event, payload)
   SELECT id, endpoint_id, audit_id, event, payload FROM ${bulkRows('$1', NEW_COLUMNS)}
   ON CONFLICT (endpoint_id, audit_id) DO UPDATE SET status = 'PENDING', next_attempt_at = now(), ended_at = NULL
   RETURNING id`,
);

/** Looks at the newest deliveries only: an endpoint that is unavailable may have a million that wait. The row of the endpoint is locked. */
const INSERT_TEST = statement(
  'webhook_delivery_insert_test',
  `INSERT INTO webhook_deliveries (id, endpoint_id, event, payload)
   SELECT $1::uuid, $2::uuid, $3::text, $4::text
   WHERE (SELECT count(*) FILTER (WHERE newest.event = $3 AND newest.status = 'PENDING')
          FROM (SELECT event, status FROM webhook_deliveries WHERE endpoint_id = $2 ORDER BY id DESC LIMIT 100) newest) < $5::int
   RETURNING id`,
);

const REPLAYABLE = statement(
  'webhook_replayable',
  `SELECT ${ENTRY} FROM auth_audit_logs
   WHERE occurred_at >= $1 AND occurred_at < $2 AND event = ANY($3::text[]) AND ($4::uuid IS NULL OR company_id = $4)
     AND transaction_id < pg_snapshot_xmin(pg_current_snapshot())
   ORDER BY occurred_at, id LIMIT $5::int`,
);

/** Deliveries of one endpoint that are sent at the same time. */
const PER_ENDPOINT = 4;

/**
 * Claims the delivery that has been due longest, at the endpoint to which the fewest are being sent, which is active and not busy. Every
 * endpoint with a due delivery is looked at. So slow ones with many deliveries, of whichever number, delay others by no more than one of
 * their attempts.
 */
const CLAIM = statement(
  'webhook_delivery_claim',
  `WITH RECURSIVE endpoint AS (
     (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'PENDING' ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
             WHERE d.status = 'PENDING' AND d.endpoint_id > endpoint.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
     FROM endpoint WHERE endpoint.endpoint_id IS NOT NULL
   ), candidate AS MATERIALIZED (
     SELECT due.id, due.next_attempt_at, busy.running
     FROM endpoint JOIN webhook_endpoints e ON e.id = endpoint.endpoint_id AND e.is_active
     CROSS JOIN LATERAL (
       SELECT count(*) AS running FROM (
         SELECT FROM webhook_deliveries r WHERE r.endpoint_id = e.id AND r.status = 'PENDING' AND r.claimed_until > now()
         LIMIT ${PER_ENDPOINT}) claims) busy
     CROSS JOIN LATERAL (
       SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
       WHERE d.endpoint_id = e.id AND d.status = 'PENDING' AND d.next_attempt_at <= now()
         AND (d.claimed_until IS NULL OR d.claimed_until <= now())
       ORDER BY d.next_attempt_at LIMIT ${PER_ENDPOINT}) due
     WHERE busy.running < ${PER_ENDPOINT}
   ), first AS MATERIALIZED (
     SELECT ARRAY(SELECT id FROM candidate ORDER BY running, next_attempt_at LIMIT 64) AS ids
   ), claimed AS MATERIALIZED (
     SELECT d.id FROM webhook_deliveries d
     WHERE d.id = ANY((SELECT ids FROM first)::uuid[]) AND d.status = 'PENDING'
       AND (d.claimed_until IS NULL OR d.claimed_until <= now())
     ORDER BY array_position((SELECT ids FROM first), d.id) LIMIT 1 FOR UPDATE OF d SKIP LOCKED
   )
   UPDATE webhook_deliveries d
   SET attempts = d.attempts + 1, claimed_until = now() + make_interval(secs => $1::float8)
   FROM claimed WHERE d.id = claimed.id
   RETURNING d.id, d.endpoint_id AS "endpointId", d.event, d.payload, d.attempts`,
);

const FINISH = statement(
  'webhook_delivery_finish',
  `UPDATE webhook_deliveries SET status = $3, last_status = $4, last_error = $5, claimed_until = NULL,
     next_attempt_at = CASE WHEN $3 = 'PENDING' THEN now() + make_interval(secs => $6::float8) ELSE next_attempt_at END,
     ended_at = CASE WHEN $3 = 'PENDING' THEN NULL ELSE now() END
   WHERE id = $1 AND attempts = $2 AND status = 'PENDING' AND claimed_until IS NOT NULL RETURNING id`,
);

const RETRY = statement(
  'webhook_delivery_retry',
  `UPDATE webhook_deliveries SET status = 'PENDING', next_attempt_at = now(), ended_at = NULL
   WHERE id = $1 AND endpoint_id = $2 RETURNING id`,
);

const VIEW = `id, event, audit_id AS "auditId", status, attempts, next_attempt_at AS "nextAttemptAt",
  last_status AS "lastStatus", last_error AS "lastError", created_at AS "createdAt", ended_at AS "endedAt"`;
const LIST = statement(
  'webhook_delivery_list',
  `SELECT ${VIEW} FROM webhook_deliveries
   WHERE endpoint_id = $1 AND id < $2 AND ($3::text IS NULL OR status = $3) ORDER BY id DESC LIMIT $4::int`,
);
const FIND = statement(
  'webhook_delivery_find',
  `SELECT ${VIEW} FROM webhook_deliveries WHERE id = $1 AND endpoint_id = $2`,
);
const BACKLOG = statement(
  'webhook_delivery_backlog',
  `SELECT count(*) FILTER (WHERE d.status = 'PENDING' AND d.last_error IS NULL) AS waiting,
     count(*) FILTER (WHERE d.status = 'PENDING' AND d.last_error IS NOT NULL) AS retrying,
     count(*) FILTER (WHERE d.status = 'DEAD') AS failed,
     coalesce(greatest(extract(epoch FROM now() - min(d.created_at) FILTER (WHERE d.status = 'PENDING' AND e.is_active)), 0), 0)::float8 AS oldest
   FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.status IN ('PENDING', 'DEAD')`,
);

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Messages to receivers, and how far the log has been followed. */
export class WebhookDeliveryRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns whether no endpoint is active and the cursor has been moved to the present in the last minute. */
  async isIdle(): Promise<boolean> {
    return (await this.#database.query(IS_IDLE, [])).length > 0;
  }

  /** Locks the cursor for this transaction. @returns false if another replica has it. */
  async lockCursor(trx: Transaction): Promise<boolean> {
    return (await this.#database.query(LOCK_CURSOR, [], trx)).length > 0;
  }

  /** Returns whether the ids of transactions began anew since, in a restored database. */
  async beginAnew(trx: Transaction): Promise<boolean> {
    return (await this.#database.query(BEGIN_ANEW, [], trx)).length > 0;
  }

  /** Moves the cursor to the present if no endpoint is active. @returns whether it did. */
  async skipAll(trx: Transaction): Promise<boolean> {
    return (await this.#database.query(SKIP_ALL, [], trx)).length > 0;
  }

  /** Returns the next entries of the log in commit order: all that precede the cursor have been read, and none is skipped. */
  async nextEntries(limit: number, trx: Transaction): Promise<EntryRow[]> {
    return this.#database.query<EntryRow>(ENTRIES, [limit], trx);
  }

  /** Moves the cursor behind an entry, in the transaction that queued its deliveries. */
  async moveCursor(entry: EntryRow, isCaughtUp: boolean, trx: Transaction): Promise<void> {
    await this.#database.query(MOVE, [entry.transactionId, entry.id, isCaughtUp], trx);
  }

  /** Queues deliveries for active endpoints. @returns the number of new ones. */
  async insertAll(deliveries: readonly NewDelivery[], trx: Transaction): Promise<number> {
    return (await this.#database.query(INSERT_ALL, [JSON.stringify(deliveries)], trx)).length;
  }

  /** Queues deliveries again, under the ids that they have, and those that are no longer there. @returns their number. */
  async replayAll(deliveries: readonly NewDelivery[], trx: Transaction): Promise<number> {
    return (await this.#database.query(REPLAY_ALL, [JSON.stringify(deliveries)], trx)).length;
  }

  /** Queues a message that has no entry in the log; returns false while the endpoint has as many of those as may wait. */
  async insertTest(
    delivery: Pick<NewDelivery, 'id' | 'endpoint_id' | 'event' | 'payload'>,
    mostWaiting: number,
    trx: Transaction,
  ): Promise<boolean> {
    const { id, endpoint_id, event, payload } = delivery;
    const values = [id, endpoint_id, event, payload, mostWaiting];
    return (await this.#database.query(INSERT_TEST, values, trx)).length > 0;
  }

  /** Returns the entries of these events within a time, oldest first. */
  async replayable(
    range: { from: Date; to: Date; events: readonly string[]; companyId: string | null },
    limit: number,
    trx: Transaction,
  ): Promise<SourceEntry[]> {
    const { from, to, events, companyId } = range;
    return this.#database.query<EntryRow>(REPLAYABLE, [from, to, events, companyId, limit], trx);
  }

  /** Claims one delivery. No two callers receive it until the lease of the first has expired. */
  async claim(leaseSeconds: number): Promise<ClaimedDelivery | undefined> {
    const [delivery] = await this.#database.query<ClaimedDelivery>(CLAIM, [leaseSeconds]);
    return delivery;
  }

  /** Records the result of a claim. @returns false if a later claim or a result came first. */
  async finish(
    claim: Pick<ClaimedDelivery, 'id' | 'attempts'>,
    { status, lastStatus, lastError, inSeconds = 0 }: AttemptResult,
    trx?: Transaction,
  ): Promise<boolean> {
    const values = [claim.id, claim.attempts, status, lastStatus, lastError, inSeconds];
    return (await this.#database.query(FINISH, values, trx)).length > 0;
  }

  /** Makes a delivery due now, whatever its status; a running attempt continues. @returns false for an unknown one. */
  async retry(id: string, endpointId: string, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(RETRY, [id, endpointId], trx)).length > 0;
  }

  /** Returns deliveries of an endpoint, newest first. @param before an id; those after it precede it. */
  async list(
    endpointId: string,
    status: string | undefined,
    before: string | undefined,
    limit: number,
  ): Promise<WebhookDeliveryView[]> {
    const values = [endpointId, before ?? LAST_ID, status ?? null, limit];
    return (await this.#database.query<DeliveryRow>(LIST, values)).map(toView);
  }

  async find(id: string, endpointId: string): Promise<WebhookDeliveryView | undefined> {
    const [row] = await this.#database.query<DeliveryRow>(FIND, [id, endpointId]);
    return row && toView(row);
  }

  async backlog(): Promise<DeliveryBacklog> {
    const [row] = await this.#database.query<Record<keyof DeliveryBacklog | 'oldest', string>>(BACKLOG, []);
    return {
      waiting: toCount(row?.waiting),
      retrying: toCount(row?.retrying),
      failed: toCount(row?.failed),
      oldestPending: Number(row?.oldest ?? 0),
    };
  }
}

const toView = (row: DeliveryRow): WebhookDeliveryView => ({
  ...row,
  nextAttemptAt: row.status === 'PENDING' ? row.nextAttemptAt.toISOString() : null,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
});
