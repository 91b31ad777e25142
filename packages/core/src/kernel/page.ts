/** A request for a slice of a list. `limit` is at least 1, `offset` at least 0. */
export interface PageRequest {
  limit: number;
  offset: number;
  /** The cursor of the previous page, in place of an offset. */
  cursor?: string | undefined;
}

/** Totals of lists are exact up to this number. Counting further would cost more than reading the page. */
export const MAX_EXACT_TOTAL = 10_000;

/** The number of rows of a whole list. Exact up to 10,000 and for the last page of a list; else a lower bound. */
export interface ListTotal {
  /** Greater than `offset + limit` if there are further rows, so that paging up to the total reads the whole list. */
  total: number;
  /** False: the list has this many rows or more. */
  isTotalExact: boolean;
}

/** One slice of a list, and the number of rows of the whole list. */
export interface Page<T> extends ListTotal {
  items: T[];
  /** Continues a list that grows; undefined at its end, and for a list without cursors. */
  nextCursor?: string | undefined;
}

/** A page of a long list, read slice by slice while it is consumed. Stop consuming, and nothing more is read. */
export interface SlicedPage<T> extends ListTotal {
  /** Slices in the order of the list; one may be empty. */
  slices: AsyncIterable<T[]>;
}

/** Returns the limit for reading a page: one row more shows whether the list continues. */
export const lookahead = ({ limit }: PageRequest): number => limit + 1;

/** A request for a slice, and the number up to which its list was counted. Defaults to `MAX_EXACT_TOTAL`. */
interface CountedRequest extends PageRequest {
  bound?: number | undefined;
}

/**
 * Returns the page of rows that were read with `lookahead`.
 * @param counted the number of rows of the list, counted up to one more than the bound.
 */
export function pageOf<T>(rows: T[], counted: number, page: CountedRequest): Page<T> {
  const { limit, offset, bound } = page;
  const items = rows.slice(0, limit);
  const end = offset + items.length;
  if (showsTotal(rows, page)) return { items, total: end, isTotalExact: true };
  return { items, ...totalOf(counted, { bound, atLeast: rows.length > limit ? end + 1 : 0 }) };
}

/** Returns the page of rows like `pageOf`, with the cursor of the next one. */
export function placedPageOf<Row>(
  rows: Row[],
  counted: number,
  page: CountedRequest,
  toCursor: (row: Row) => string,
): Page<Row> {
  const found = pageOf(rows, counted, page);
  const last = found.items.at(-1);
  return rows.length > page.limit && last ? { ...found, nextCursor: toCursor(last) } : found;
}

/** Returns whether rows that were read with `lookahead` end the list, so that it need not be counted. */
export const showsTotal = (rows: readonly unknown[], { limit, offset, cursor }: PageRequest): boolean =>
  cursor === undefined && rows.length <= limit && (rows.length > 0 || offset === 0);

/** Returns the total of a list that was counted up to one row more than `bound`. */
export function totalOf(
  counted: number,
  { bound = MAX_EXACT_TOTAL, atLeast = 0 }: { bound?: number | undefined; atLeast?: number } = {},
): ListTotal {
  if (counted <= bound) return { total: Math.max(counted, atLeast), isTotalExact: true };
  return { total: Math.max(bound, atLeast), isTotalExact: false };
}

/** Returns the page with its items converted. */
export const mapPage = <From, To>(page: Page<From>, convert: (item: From) => To): Page<To> => ({
  ...page,
  items: page.items.map(convert),
});
