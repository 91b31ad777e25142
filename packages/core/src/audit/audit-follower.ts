import type { CursorPage, CursorRequest } from '../kernel/cursor-page.js';
import { tailPositionOf, tailTextOf, type TailPosition } from './audit-cursor.js';
import type { AuditListRepository, PlacedAuditRow } from './audit-list-repository.js';
import { toAuditEntryView } from './audit-row.js';
import type { AuditEntryView, CheckedAuditFilter } from './audit-schema.js';

/**
 * Microseconds between the begin of a transaction, which is the time of its rows, and its end. The database ends a
 * transaction that is idle for 10 s and a statement after 4 s, so no transaction of the service takes longer than this.
 */
const LONGEST_TRANSACTION = 30_000_000n;

/**
 * Returns a page of the log as it grows, oldest first, and always a cursor. Rows become visible in another order than that
 * of their times, so the cursor holds which transactions had ended: no entry is skipped, and one may be returned twice.
 */
export async function readTail(
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
