import { actorLabel } from '../kernel/actor.js';
import { newId } from '../kernel/id.js';
import { bulkInsert } from '../storage/bulk-insert.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import type { AuditEvent, AuditEventName } from './audit-event.js';
import { withoutTime, type NewAuditRow } from './audit-row.js';
import type { AuthEvents } from './auth-events.js';
import type { OwnRowsRunner } from './own-rows.js';

/** Columns of a row beside its time, in the order of the table. */
const AUDIT_COLUMNS =
  'id, event, outcome, actor, actor_user_id, subject_user_id, company_id, session_id, ip_address, user_agent, request_id, details, acted_by_user_id, acted_by_name';

/**
 * Returns the INSERT of one audit row as a part of a larger statement, so that a hot path writes cause and record in
 * one go. A row appears only if `source` (a CTE of that statement) yields one.
 * @param parameter the placeholder, such as `$9`, of the value that `AuditRepository.insertBy` passes.
 */
export function auditInsertFrom(source: string, parameter: string): string {
  return `INSERT INTO auth_audit_logs (${AUDIT_COLUMNS})
    SELECT ${AUDIT_COLUMNS} FROM (SELECT 1 FROM ${source} LIMIT 1) AS cause,
      jsonb_to_record(${parameter}::jsonb) AS entry(id uuid, event text, outcome text, actor text,
        actor_user_id uuid, subject_user_id uuid, company_id uuid, session_id uuid, ip_address text,
        user_agent text, request_id text, details jsonb, acted_by_user_id uuid, acted_by_name text)`;
}

const INSERT_ONE = statement('audit_insert', auditInsertFrom('(VALUES (1)) AS always', '$1'));

const INSERT_MANY = statement(
  'audit_insert_many',
  bulkInsert('auth_audit_logs', {
    id: 'uuid',
    event: 'text',
    outcome: 'text',
    actor: 'text',
    actor_user_id: 'uuid',
    subject_user_id: 'uuid',
    company_id: 'uuid',
    session_id: 'uuid',
    ip_address: 'text',
    user_agent: 'text',
    request_id: 'text',
    details: 'jsonb',
    acted_by_user_id: 'uuid',
    acted_by_name: 'text',
  }),
);

const EVENT_WAIT = statement(
  'audit_event_wait',
  `SELECT extract(epoch FROM occurred_at + interval '1 hour' - now())::float8 AS wait FROM auth_audit_logs
   WHERE subject_user_id = $1 AND event = $2 AND occurred_at > now() - interval '1 hour'
   ORDER BY occurred_at DESC, id DESC OFFSET $3::int - 1 LIMIT 1`,
);

/** Keeps the parameter of one statement far below the limit of a message. */
const ROWS_AT_ONCE = 5_000;

/**
 * The audit log: rows are added, never changed. Event listeners are notified of every row once it is
 * committed, so no row may be written without this class.
 */
export class AuditRepository {
  readonly #database: Database;
  readonly #events: AuthEvents;
  readonly #ownRows: Pick<OwnRowsRunner, 'run'> | undefined;

  /** @param ownRows writes rows of the app in the same transactions. */
  constructor(database: Database, events: AuthEvents, ownRows?: Pick<OwnRowsRunner, 'run'>) {
    this.#database = database;
    this.#events = events;
    this.#ownRows = ownRows;
  }

  /** Adds a row, as part of `trx` when the cause is a change of state. */
  async insert(event: AuditEvent, trx?: Transaction): Promise<void> {
    const row = toRow(event);
    await this.#database.query(INSERT_ONE, [JSON.stringify(row)], trx);
    await this.#follow(row, trx);
  }

  /** Adds many rows at once, as part of the change that they report. */
  async insertAll(events: readonly AuditEvent[], trx: Transaction): Promise<void> {
    for (const row of await this.#insertMany(events, trx)) await this.#follow(row, trx);
  }

  /**
   * Adds the rows of an import. Functions of the app do not run: with thousands of rows the transaction would last longer than
   * readers of the log look back.
   */
  async insertImported(events: readonly AuditEvent[], trx: Transaction): Promise<void> {
    for (const row of await this.#insertMany(events, trx)) this.announce(row, trx);
  }

  async #insertMany(events: readonly AuditEvent[], trx: Transaction): Promise<NewAuditRow[]> {
    const rows = events.map(toRow);
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const slice = JSON.stringify(rows.slice(start, start + ROWS_AT_ONCE));
      await this.#database.query(INSERT_MANY, [slice], trx);
    }
    return rows;
  }

  /**
   * Adds a row by a larger statement, which holds `auditInsertFrom`.
   * @param write runs it, within the same `trx`, with the parameter it is given, and returns its rows: none if it wrote
   * nothing.
   * @returns the first of them.
   */
  async insertBy<Row>(
    event: AuditEvent,
    write: (parameter: string) => Promise<readonly Row[]>,
    trx?: Transaction,
  ): Promise<Row | undefined> {
    const row = toRow(event);
    const [written] = await write(JSON.stringify(row));
    if (written !== undefined) await this.#follow(row, trx);
    return written;
  }

  /**
   * Returns the whole seconds until an event about a user may happen once more, at least one; undefined if it may now. The transaction
   * holds the user's row, so that simultaneous events count each other.
   */
  async secondsToWait(
    { userId, event, perHour }: { userId: string; event: AuditEventName; perHour: number },
    trx: Transaction,
  ): Promise<number | undefined> {
    const [row] = await this.#database.query<{ wait: number }>(EVENT_WAIT, [userId, event, perHour], trx);
    return row && Math.max(1, Math.ceil(row.wait));
  }

  async #follow(row: NewAuditRow, trx: Transaction | undefined): Promise<void> {
    await this.#ownRows?.run(row, trx);
    this.announce(row, trx);
  }

  /** Notifies listeners of a row that a statement of another repository has written and returned. */
  announce(row: NewAuditRow, trx?: Transaction): void {
    this.#database.afterCommit(trx, () => {
      this.#events.emit(withoutTime(row));
    });
  }
}

function toRow(event: AuditEvent): NewAuditRow {
  return {
    id: newId(),
    event: event.event,
    outcome: event.outcome,
    actor: actorLabel(event.actor),
    actor_user_id: event.actor.kind === 'user' ? event.actor.userId : null,
    subject_user_id: event.subjectUserId ?? null,
    company_id: event.companyId ?? null,
    session_id: event.sessionId ?? null,
    ip_address: event.client.ipAddress,
    user_agent: event.client.userAgent,
    request_id: event.client.requestId,
    details: event.details ?? {},
    ...actedBy(event),
  };
}

/**
 * Names who acted for the actor. Every row is made here, and every event has the client of its request, so no row of a session in
 * which an actor acts for its user can omit them.
 */
const actedBy = ({
  client: { act },
}: AuditEvent): Pick<NewAuditRow, 'acted_by_user_id' | 'acted_by_name'> => ({
  acted_by_user_id: act?.userId ?? null,
  acted_by_name: act?.name ?? null,
});
