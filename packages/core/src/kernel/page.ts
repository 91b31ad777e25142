/** Which slice of a list is asked for. `limit` is at least 1, `offset` at least 0. */
export interface PageRequest {
  limit: number;
  offset: number;
}

/** One slice of a list, and how many rows the whole list holds. */
export interface Page<T> {
  items: T[];
  total: number;
}
