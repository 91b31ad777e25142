import { actorLabel } from '../kernel/actor.js';
import { newId } from '../kernel/id.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import type { AuditEvent } from './audit-event.js';

const COLUMNS =
  'id, event, outcome, actor, actor_user_id, subject_user_id, company_id, session_id, ip_address, user_agent, request_id, details';

/**
 * The INSERT of one audit row as a part of a larger statement, so that a hot path writes cause and record in one
 * go. A row appears only if `source` (a CTE of that statement) yields one.
 * @param parameter the placeholder, such as `$9`, that holds `auditParameter(event)`.
 */
export function auditInsertFrom(source: string, parameter: string): string {
  return `INSERT INTO auth_audit_logs (${COLUMNS})
    SELECT ${COLUMNS} FROM (SELECT 1 FROM ${source} LIMIT 1) AS cause,
      jsonb_to_record(${parameter}::jsonb) AS entry(id uuid, event text, outcome text, actor text,
        actor_user_id uuid, subject_user_id uuid, company_id uuid, session_id uuid, ip_address text,
        user_agent text, request_id text, details jsonb)`;
}

export const auditParameter = (event: AuditEvent): string => JSON.stringify(toRow(event));

const INSERT_ONE = statement('audit_insert', auditInsertFrom('(VALUES (1)) AS always', '$1'));

/** The audit log: rows are added, never changed. */
export class AuditRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a row, as part of `trx` when the cause is a change of state. */
  async insert(event: AuditEvent, trx?: Transaction): Promise<void> {
    if (trx) await trx('auth_audit_logs').insert(toRow(event));
    else await this.#database.query(INSERT_ONE, [auditParameter(event)]);
  }
}

function toRow(event: AuditEvent) {
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
  };
}
