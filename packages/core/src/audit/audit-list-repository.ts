import type { Knex } from 'knex';
import type { Database } from '../storage/database.js';
import type { AuditFilter } from './audit-schema.js';

export interface AuditRow {
  id: string;
  occurred_at: Date;
  /** The instant in full precision, which a Date does not hold. */
  microseconds: string;
  event: string;
  outcome: 'success' | 'failure' | 'denied';
  actor: string;
  actor_user_id: string | null;
  subject_user_id: string | null;
  company_id: string | null;
  session_id: string | null;
  ip_address: string | null;
  user_agent: string | null;
  request_id: string | null;
  details: Record<string, unknown>;
}

/** The audit log in slices, newest first, cut by position so that new rows shift nothing. */
export class AuditListRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(
    filter: AuditFilter,
    after: { microseconds: string; id: string } | undefined,
    limit: number,
  ): Promise<AuditRow[]> {
    return this.#database.run((knex) =>
      knex('auth_audit_logs')
        .where(toColumns(filter))
        .modify((query) => limitTime(query, filter))
        .modify((query) => {
          if (after) {
            const instant = `timestamptz 'epoch' + ?::bigint * interval '1 microsecond'`;
            void query.whereRaw(`(occurred_at, id) < (${instant}, ?::uuid)`, [after.microseconds, after.id]);
          }
        })
        .orderBy([
          { column: 'occurred_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit)
        .select<AuditRow[]>(
          '*',
          knex.raw('(extract(epoch FROM occurred_at) * 1000000)::bigint::text AS microseconds'),
        ),
    );
  }
}

function limitTime(query: Knex.QueryBuilder, { from, to }: AuditFilter): void {
  if (from) void query.where('occurred_at', '>=', from);
  if (to) void query.where('occurred_at', '<', to);
}

function toColumns(filter: AuditFilter): Record<string, string> {
  const columns = {
    event: filter.event,
    outcome: filter.outcome,
    actor_user_id: filter.actorUserId,
    subject_user_id: filter.subjectUserId,
    company_id: filter.companyId,
    session_id: filter.sessionId,
  };
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
