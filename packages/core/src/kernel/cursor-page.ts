/**
 * A request for a slice of a list that grows while it is read: the cursor continues where the last slice
 * ended.
 */
export interface CursorRequest {
  /** At least 1. */
  limit: number;
  /** The cursor of the previous slice; undefined for the first. */
  cursor?: string | undefined;
}

/** One slice of a list that grows while it is read. */
export interface CursorPage<T> {
  items: T[];
  /** Undefined at the end of the list. */
  nextCursor: string | undefined;
}
