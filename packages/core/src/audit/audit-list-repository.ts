import type { Knex } from 'knex';
import { statement, type Database } from '../storage/database.js';
import type { AuditRow } from './audit-row.js';
import type { CheckedAuditFilter } from './audit-schema.js';

/** A row and its position. */
export interface PlacedAuditRow extends AuditRow {
  /** The instant in full precision, which a Date does not hold. */
  microseconds: string;
}

const NOW = statement('audit_now', 'SELECT now() AS now');

/** Reads the audit log in slices, cut by position so that new rows shift nothing. */
export class AuditListRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the current time of the clock that rows take their times from. */
  async now(): Promise<Date> {
    const [row] = await this.#database.query<{ now: Date }>(NOW, []);
    if (!row) throw new TypeError('The database returned no time.');
    return row.now;
  }

  /** Returns rows, newest first. */
  async list(
    filter: CheckedAuditFilter,
    after: { microseconds: string; id: string } | undefined,
    limit: number,
  ): Promise<PlacedAuditRow[]> {
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
        .select<PlacedAuditRow[]>(
          '*',
          knex.raw('(extract(epoch FROM occurred_at) * 1000000)::bigint::text AS microseconds'),
        ),
    );
  }

  /** Returns the rows from an instant on, oldest first, without the known ones. */
  async since(
    filter: CheckedAuditFilter,
    from: Date,
    { except, limit }: { except: readonly string[]; limit: number },
  ): Promise<AuditRow[]> {
    return this.#database.run((knex) =>
      knex('auth_audit_logs')
        .where(toColumns(filter))
        .where('occurred_at', '>=', from)
        .whereRaw('id <> ALL(?::uuid[])', [[...except]])
        .orderBy(['occurred_at', 'id'])
        .limit(limit)
        .select<AuditRow[]>('*'),
    );
  }

  /** Returns the ids of the rows from an instant on, with their times. */
  async idsSince(filter: CheckedAuditFilter, from: Date): Promise<Pick<AuditRow, 'id' | 'occurred_at'>[]> {
    return this.#database.run((knex) =>
      knex('auth_audit_logs')
        .where(toColumns(filter))
        .where('occurred_at', '>=', from)
        .select('id', 'occurred_at'),
    );
  }
}

function limitTime(query: Knex.QueryBuilder, { from, to }: CheckedAuditFilter): void {
  if (from) void query.where('occurred_at', '>=', from);
  if (to) void query.where('occurred_at', '<', to);
}

function toColumns(filter: CheckedAuditFilter): Record<string, string> {
  const columns = {
    event: filter.event,
    outcome: filter.outcome,
    actor_user_id: filter.actorUserId,
    acted_by_user_id: filter.actedByUserId,
    subject_user_id: filter.subjectUserId,
    company_id: filter.companyId,
    session_id: filter.sessionId,
  };
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
