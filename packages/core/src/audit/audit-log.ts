import { checkInput } from '../kernel/check-input.js';
import type { CursorPage } from '../kernel/cursor-page.js';
import { isUuid } from '../kernel/id.js';
import { cursorInput, type CursorInput } from '../kernel/page-input.js';
import { fieldError } from '../kernel/validation-error.js';
import type { AuditListRepository, PlacedAuditRow } from './audit-list-repository.js';
import { toAuditEntryView } from './audit-row.js';
import { auditFilter, type AuditEntryView, type AuditFilter } from './audit-schema.js';
import { AuditTail } from './audit-tail.js';

/** The end of a page of the log: the last row's instant in microseconds, and its id. */
interface AuditPosition {
  microseconds: string;
  id: string;
}

const usualSlice = cursorInput();

/** Reads the audit log. */
export class AuditLog {
  readonly #rows: AuditListRepository;

  constructor(rows: AuditListRepository) {
    this.#rows = rows;
  }

  /** Returns entries, newest first. @throws AuthError `validation_error`, also for a cursor that is not ours. */
  async list(filter: AuditFilter = {}, slice: CursorInput = {}): Promise<CursorPage<AuditEntryView>> {
    const wanted = checkInput(auditFilter, filter, 'query');
    const { limit, cursor } = checkInput(usualSlice, slice, 'query');
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    // One row more than requested shows that there is a next page.
    const rows = await this.#rows.list(wanted, after, limit + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(toAuditEntryView),
      nextCursor: rows.length > limit && last ? encodeCursor(last) : undefined,
    };
  }

  /**
   * Follows the log: returns the `last` newest entries first (all since `filter.from`, if that is set), then
   * new ones.
   */
  follow(filter: AuditFilter, { last }: { last: number }): AuditTail {
    return new AuditTail(this.#rows, checkInput(auditFilter, filter, 'query'), { last });
  }
}

const encodeCursor = (row: PlacedAuditRow): string =>
  Buffer.from(`${row.microseconds}.${row.id}`).toString('base64url');

function decodeCursor(cursor: string): AuditPosition {
  const [microseconds = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^\d{1,17}$/.test(microseconds) || !isUuid(id)) {
    throw fieldError('cursor', 'format', 'is invalid; use the one that a previous page returned');
  }
  return { microseconds, id };
}
