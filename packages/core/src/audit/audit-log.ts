import { AuthError } from '../kernel/auth-error.js';
import type { CursorPage, CursorRequest } from '../kernel/cursor-page.js';
import { isUuid } from '../kernel/id.js';
import type { AuditEntryView, AuditFilter } from './audit-schema.js';
import type { AuditListRepository, AuditRow } from './audit-list-repository.js';

/** Where a page of the log ended: the last row's instant in microseconds, and its id. */
export interface AuditPosition {
  microseconds: string;
  id: string;
}

/** Reading the audit log, newest first. */
export class AuditLog {
  readonly #rows: AuditListRepository;

  constructor(rows: AuditListRepository) {
    this.#rows = rows;
  }

  /** @throws AuthError `validation_error` for a cursor that is not ours. */
  async list(filter: AuditFilter, { limit, cursor }: CursorRequest): Promise<CursorPage<AuditEntryView>> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    // One row more than asked for tells whether there is a next page.
    const rows = await this.#rows.list(filter, after, limit + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(toView),
      nextCursor: rows.length > limit && last ? encodeCursor(last) : undefined,
    };
  }
}

const encodeCursor = (row: AuditRow): string =>
  Buffer.from(`${row.microseconds}.${row.id}`).toString('base64url');

function decodeCursor(cursor: string): AuditPosition {
  const [microseconds = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^\d{1,17}$/.test(microseconds) || !isUuid(id)) {
    throw AuthError.validation('cursor: is not one that this list gave');
  }
  return { microseconds, id };
}

function toView(row: AuditRow): AuditEntryView {
  return {
    id: row.id,
    occurredAt: row.occurred_at.toISOString(),
    event: row.event,
    outcome: row.outcome,
    actor: row.actor,
    actorUserId: row.actor_user_id,
    subjectUserId: row.subject_user_id,
    companyId: row.company_id,
    sessionId: row.session_id,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    requestId: row.request_id,
    details: row.details,
  };
}
