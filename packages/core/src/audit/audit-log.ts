import { z } from 'zod';
import { checkInput } from '../kernel/check-input.js';
import type { CursorPage, CursorRequest } from '../kernel/cursor-page.js';
import { cursorInput, type CursorInput } from '../kernel/page-input.js';
import { cursorOf, positionOf } from '../kernel/row-position.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { fieldError } from '../kernel/validation-error.js';
import { tailPositionOf, tailTextOf, type TailPosition } from './audit-cursor.js';
import type { AuditListRepository, PlacedAuditRow } from './audit-list-repository.js';
import { toAuditEntryView } from './audit-row.js';
import {
  auditFilter,
  auditListInput,
  type AuditEntryView,
  type AuditFilter,
  type CheckedAuditFilter,
} from './audit-schema.js';
import { AuditTail } from './audit-tail.js';

/**
 * Microseconds between the begin of a transaction, which is the time of its rows, and its end. The database ends a
 * transaction that is idle for 10 s and a statement after 4 s, so no transaction of the service takes longer than this.
 */
const LONGEST_TRANSACTION = 30_000_000n;

/**
 * Returns a page of the log as it grows, oldest first, and always a cursor. Rows become visible in another order than that
 * of their times, so the cursor holds which transactions had ended: no entry is skipped, and one may be returned twice.
 */
async function readTail(
  rows: AuditListRepository,
  filter: CheckedAuditFilter,
  { limit, cursor }: CursorRequest,
): Promise<CursorPage<AuditEntryView>> {
  if (cursor === undefined) return begin(rows, filter, limit);
  const { seen, reading } = tailPositionOf(cursor);
  const horizon = reading?.horizon ?? (await rows.horizon());
  const since = { from: earliestOf(seen.microseconds), transactionId: seen.transactionId };
  const found = await rows.committedSince(filter, since, reading?.after, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const isComplete = found.length <= limit || last === undefined;
  const next = isComplete
    ? { seen: horizon, reading: undefined }
    : { seen, reading: { horizon, after: last } };
  return pageOf(page, next);
}

/** Reads the newest entries. The horizon is read before, so that what is committed between is returned again, not skipped. */
async function begin(
  rows: AuditListRepository,
  filter: CheckedAuditFilter,
  limit: number,
): Promise<CursorPage<AuditEntryView>> {
  const horizon = await rows.horizon();
  const newest = await rows.list(filter, undefined, limit);
  return pageOf(newest.toReversed(), { seen: horizon, reading: undefined });
}

const pageOf = (rows: PlacedAuditRow[], next: TailPosition): CursorPage<AuditEntryView> => ({
  items: rows.map(toAuditEntryView),
  nextCursor: tailTextOf(next),
});

function earliestOf(microseconds: string): string {
  const from = BigInt(microseconds) - LONGEST_TRANSACTION;
  return String(from < 0n ? 0n : from);
}

/** A request for a slice of the log; with `tail` it follows the log. */
export type AuditSlice = CursorInput & Pick<z.input<typeof auditListInput>, 'tail'>;
const auditSlice = cursorInput().extend({ tail: auditListInput.shape.tail });

/** Callers of the library learn of misspelt names; those of the route have its own rule. */
const auditSearch = auditFilter.strict();
const tailStart = z.strictObject({
  last: z.int().min(0).optional(),
  after: uuidInput.optional(),
});

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
    const wanted = checkInput(auditSearch, filter, 'query');
    const { limit, cursor, tail } = checkInput(auditSlice, slice, 'query');
    if (tail === true) return readTail(this.#rows, wanted, { limit, cursor });
    const after = cursor === undefined ? undefined : positionOf(cursor);
    // One row more than requested shows that there is a next page.
    const rows = await this.#rows.list(wanted, after, limit + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(toAuditEntryView),
      nextCursor: rows.length > limit && last ? cursorOf(last) : undefined,
    };
  }

  /**
   * Follows the log: returns the `last` newest entries first (all since `filter.from`, if that is set), then new ones. With
   * `after`, the id of an entry that was returned before, it returns everything that was committed since, also entries with an
   * earlier time. An entry whose transaction overlapped that of `after` may be returned again, and none is lost.
   * @throws AuthError `validation_error`, also for an unknown field
   */
  follow(filter: AuditFilter = {}, start: { last: number } | { after: string } = { last: 0 }): AuditTail {
    const wanted = checkInput(auditSearch, filter, 'query');
    const { last, after } = checkInput(tailStart, start, 'query');
    if (after === undefined) return new AuditTail(this.#rows, wanted, { last: last ?? 0 });
    if (last === undefined) return new AuditTail(this.#rows, wanted, { after });
    throw fieldError('last', 'not_allowed', 'cannot be combined with after; a tail begins at one of them');
  }
}
