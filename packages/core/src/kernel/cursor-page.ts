/** A slice of a list that grows while it is read: the cursor goes on where the slice ended. */
export interface CursorRequest {
  /** At least 1. */
  limit: number;
  /** From the slice before; undefined for the first. */
  cursor?: string | undefined;
}

export interface CursorPage<T> {
  items: T[];
  /** Undefined at the end of the list. */
  nextCursor: string | undefined;
}
