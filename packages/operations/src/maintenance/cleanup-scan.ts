import type { Transaction } from '@latchkey/core/internal/storage/database';
import {
  BEFORE_FIRST_ROW,
  type Measure,
  type RetentionRows,
  type RowPosition,
} from './retention-repository.js';
import type { RetentionKind } from './retention.js';

/** A scan of the rows of one kind along one path, up to the limit. */
export interface RetentionScan {
  rows: RetentionRows;
  limit: string;
}

/** The position of a clean-up: the index of the scan, and the last scanned row. */
export interface ScanCursor {
  scan: number;
  after: RowPosition;
}

/** The rows that one transaction has removed, and the next position. */
export interface Batch {
  removed: Map<RetentionKind, number>;
  /** Undefined at the end. */
  next: ScanCursor | undefined;
}

export const START: ScanCursor = { scan: 0, after: BEFORE_FIRST_ROW };

/** Measures the removable rows of a scan, a range of `size` rows at a time. */
export async function* measureScan({ rows, limit }: RetentionScan, size: number): AsyncGenerator<Measure> {
  let after: RowPosition | undefined = BEFORE_FIRST_ROW;
  while (after) {
    const measure: Measure = await rows.measure({ after, limit, size });
    yield measure;
    after = measure.end;
  }
}

/** Removes the removable rows among the next ones, scan by scan, until about `size` rows were scanned or all are done. */
export async function removeBatch(
  scans: readonly RetentionScan[],
  from: ScanCursor,
  size: number,
  trx: Transaction,
): Promise<Batch> {
  const removed: Batch['removed'] = new Map();
  let cursor = from;
  let scan = scans[cursor.scan];
  for (let remaining = size; scan && remaining > 0; scan = scans[cursor.scan]) {
    const { rows, limit } = scan;
    const { count, end } = await rows.remove({ after: cursor.after, limit, size: remaining }, trx);
    if (count > 0) removed.set(rows.kind, (removed.get(rows.kind) ?? 0) + count);
    remaining -= end ? remaining : count;
    cursor = end ? { scan: cursor.scan, after: end } : { scan: cursor.scan + 1, after: BEFORE_FIRST_ROW };
  }
  return { removed, next: scan && cursor };
}
