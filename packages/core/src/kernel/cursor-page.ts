/**
 * A request for a slice of a list that grows while it is read: the cursor continues where the last slice
 * ended.
 * @example
 * ```ts
 * const first: CursorRequest = { limit: 100 };
 * const after = ({ nextCursor }: CursorPage<unknown>): CursorRequest => ({ ...first, cursor: nextCursor });
 * after({ items: [], nextCursor: 'abc' }).cursor; // → 'abc'
 * ```
 */
export interface CursorRequest {
  /** At least 1. */
  limit: number;
  /** The cursor of the previous slice; undefined for the first. */
  cursor?: string | undefined;
}

/**
 * One slice of a list that grows while it is read.
 * @example
 * ```ts
 * const log: CursorPage<AuditEntryView> = await kit.auth.admin.audit.list({ event: 'login' }, { limit: 10 });
 * log.items.length <= 10; // → true
 * ```
 */
export interface CursorPage<T> {
  items: T[];
  /** Undefined at the end of the list. */
  nextCursor: string | undefined;
}
