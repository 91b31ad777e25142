import type { Transaction } from '../storage/database.js';
import { BEGINNING, type Measure, type Place, type RetentionRows } from './retention-repository.js';
import type { RetentionKind } from './retention.js';

/** Rows of one kind along one path, up to those that stay. */
export interface Leg {
  rows: RetentionRows;
  limit: string;
}

/** Where a clean-up stands: on which leg, and behind which row. */
export interface Mark {
  leg: number;
  after: Place;
}

/** What one transaction has removed, and where to go on. */
export interface Batch {
  removed: Map<RetentionKind, number>;
  /** Undefined when all is done. */
  next: Mark | undefined;
}

export const START: Mark = { leg: 0, after: BEGINNING };

/** Measures what may go of a leg, a stretch of `size` rows at a time. */
export async function* measureLeg({ rows, limit }: Leg, size: number): AsyncGenerator<Measure> {
  let after: Place | undefined = BEGINNING;
  while (after) {
    const measure: Measure = await rows.measure({ after, limit, size });
    yield measure;
    after = measure.end;
  }
}

/** Removes what may go of the next rows, from leg to leg until about `size` rows were looked at or all is done. */
export async function removeBatch(
  legs: readonly Leg[],
  from: Mark,
  size: number,
  trx: Transaction,
): Promise<Batch> {
  const removed: Batch['removed'] = new Map();
  let mark = from;
  let leg = legs[mark.leg];
  for (let room = size; leg && room > 0; leg = legs[mark.leg]) {
    const { rows, limit } = leg;
    const { count, end } = await rows.remove({ after: mark.after, limit, size: room }, trx);
    if (count > 0) removed.set(rows.kind, (removed.get(rows.kind) ?? 0) + count);
    room -= end ? room : count;
    mark = end ? { leg: mark.leg, after: end } : { leg: mark.leg + 1, after: BEGINNING };
  }
  return { removed, next: leg && mark };
}
