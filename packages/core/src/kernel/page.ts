/**
 * A request for a slice of a list. `limit` is at least 1, `offset` at least 0.
 * @example
 * ```ts
 * const pageAt = (number: number, limit = 50): PageRequest => ({ limit, offset: (number - 1) * limit });
 * pageAt(3); // → { limit: 50, offset: 100 }
 * ```
 */
export interface PageRequest {
  limit: number;
  offset: number;
}

/**
 * One slice of a list, and the number of rows of the whole list.
 * @example
 * ```ts
 * const hasMore = ({ items, total }: Page<unknown>, offset: number): boolean => offset + items.length < total;
 * hasMore({ items: ['a', 'b'], total: 5 }, 2); // → true
 * hasMore({ items: ['e'], total: 5 }, 4); // → false
 * ```
 */
export interface Page<T> {
  items: T[];
  total: number;
}
