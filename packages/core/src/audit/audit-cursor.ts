import {
  CURSOR_NUMBER,
  decodeCursor,
  encodeCursor,
  invalidCursor,
  positionText,
  readPosition,
  type RowPosition,
} from '../kernel/row-position.js';
import type { AuditHorizon } from './audit-list-repository.js';

/** The place of a reader that follows the log. */
export interface TailPosition {
  /** The reader has seen what had been committed then. */
  seen: AuditHorizon;
  /** While what came later is read in several pages: the horizon of the first one, and the end of the last one. */
  reading: { horizon: AuditHorizon; after: RowPosition } | undefined;
}

const TAIL = new RegExp(
  `^t\\.(${CURSOR_NUMBER})\\.(${CURSOR_NUMBER})(?:\\.(${CURSOR_NUMBER})\\.(${CURSOR_NUMBER})\\.(.+))?$`,
);

/** Returns the cursor of a reader that follows the log. */
export function tailTextOf({ seen, reading }: TailPosition): string {
  const parts = ['t', seen.microseconds, seen.transactionId];
  if (reading) {
    const { horizon, after } = reading;
    parts.push(horizon.microseconds, horizon.transactionId, positionText(after));
  }
  return encodeCursor(parts.join('.'));
}

/** @throws AuthError `validation_error` for text that is not the cursor of a reader that follows the log. */
export function tailPositionOf(cursor: string): TailPosition {
  const [, microseconds, transactionId, readAt, readId, after] = TAIL.exec(decodeCursor(cursor)) ?? [];
  if (microseconds === undefined || transactionId === undefined) throw invalidCursor();
  const seen = { microseconds, transactionId };
  if (readAt === undefined || readId === undefined || after === undefined)
    return { seen, reading: undefined };
  const horizon = { microseconds: readAt, transactionId: readId };
  return { seen, reading: { horizon, after: readPosition(after) } };
}
