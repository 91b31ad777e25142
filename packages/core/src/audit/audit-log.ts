import type { z } from 'zod';
import { checkInput } from '../kernel/check-input.js';
import type { CursorPage } from '../kernel/cursor-page.js';
import { cursorInput, type CursorInput } from '../kernel/page-input.js';
import { positionOf, textOf } from './audit-cursor.js';
import { readTail } from './audit-follower.js';
import type { AuditListRepository } from './audit-list-repository.js';
import { toAuditEntryView } from './audit-row.js';
import { auditFilter, auditListInput, type AuditEntryView, type AuditFilter } from './audit-schema.js';
import { AuditTail } from './audit-tail.js';

/**
 * A request for a slice of the log; with `tail` it follows the log.
 * @example
 * ```ts
 * const newest = await kit.auth.admin.audit.list({ event: 'login' }, { limit: 10, tail: true });
 * const slice: AuditSlice = { tail: true, cursor: newest.nextCursor };
 * (await kit.auth.admin.audit.list({ event: 'login' }, slice)).items; // → []
 * ```
 */
export type AuditSlice = CursorInput & Pick<z.input<typeof auditListInput>, 'tail'>;
const auditSlice = cursorInput().extend({ tail: auditListInput.shape.tail });

/** Reads the audit log. */
export class AuditLog {
  readonly #rows: AuditListRepository;

  constructor(rows: AuditListRepository) {
    this.#rows = rows;
  }

  /**
   * Returns entries, newest first. With `tail` they are oldest first, and there is always a cursor: without one the first
   * page has the newest entries, with one it has those that were committed since, in however many pages. An entry may be
   * returned again, and none is skipped.
   * @throws AuthError `validation_error`, also for a cursor that is not ours.
   */
  async list(filter: AuditFilter = {}, slice: AuditSlice = {}): Promise<CursorPage<AuditEntryView>> {
    const wanted = checkInput(auditFilter, filter, 'query');
    const { limit, cursor, tail } = checkInput(auditSlice, slice, 'query');
    if (tail === true) return readTail(this.#rows, wanted, { limit, cursor });
    const after = cursor === undefined ? undefined : positionOf(cursor);
    // One row more than requested shows that there is a next page.
    const rows = await this.#rows.list(wanted, after, limit + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(toAuditEntryView),
      nextCursor: rows.length > limit && last ? textOf(last) : undefined,
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
