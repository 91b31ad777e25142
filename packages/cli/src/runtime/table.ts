import { displayWidth, printable, shorten } from './printable.js';
import type { Style } from './terminal.js';

export interface Column<T> {
  title: string;
  text: (item: T) => string;
  /** On a narrow terminal the column stays whole (default), is cut, or is left out, the last one first. */
  whenNarrow?: 'shrink' | 'drop';
  /** The narrowest useful width: it is cut down to that, and left out only if not even that fits. */
  least?: number;
  /** True for ids: only enough characters to distinguish them are shown. */
  isId?: boolean;
  style?: (item: T) => Style | undefined;
}

export interface TableSpace {
  columns: number;
  paint: (style: Style, text: string) => string;
}

interface Sized<T> extends Column<T> {
  width: number;
}

const GAP = '  ';
/** The default narrowest width: enough of an email address to recognize it. */
const NARROWEST = 24;

/** Returns the lines of an aligned table that fits the terminal, if its narrowest form does. */
export function renderTable<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  space: TableSpace,
): string[] {
  const sized = fit(
    columns
      .map((column) =>
        column.isId === true
          ? { ...column, text: uniquePrefixes(items.map(column.text), column.text) }
          : column,
      )
      .filter((column) => column.whenNarrow === undefined || items.some((item) => column.text(item) !== ''))
      .map((column) => measured(column, items)),
    space.columns,
  );
  const header = sized.map(({ title, width }, index) => pad(title, width, index === sized.length - 1));
  const rows = items.map((item) =>
    sized.map((column, index) => cell(column, item, index === sized.length - 1, space)),
  );
  return [space.paint('dim', header.join(GAP)), ...rows.map((cells) => cells.join(GAP))];
}

const SHORTEST_ID = 8;

/** Shortens ids to prefixes that are unique here; commands accept a prefix in place of the whole id. */
function uniquePrefixes<T>(ids: readonly string[], textOf: (item: T) => string): (item: T) => string {
  const isUnique = (length: number) =>
    new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size;
  const longest = Math.max(0, ...ids.map((id) => id.length));
  let length = SHORTEST_ID;
  while (length < longest && !isUnique(length)) length += 1;
  return (item) => textOf(item).slice(0, length);
}

function measured<T>(column: Column<T>, items: readonly T[]): Sized<T> {
  const widths = items.map((item) => displayWidth(printable(column.text(item))));
  return { ...column, width: Math.max(column.title.length, ...widths) };
}

function fit<T>(columns: Sized<T>[], available: number): Sized<T>[] {
  let fitting = columns;
  while (leastWidth(fitting) > available) {
    const last = fitting.findLastIndex(({ whenNarrow }) => whenNarrow === 'drop');
    if (last === -1) break;
    fitting = fitting.filter((_, index) => index !== last);
  }
  for (let excess = totalWidth(fitting) - available; excess > 0; excess -= 1) {
    const widest = widestShrinkable(fitting);
    if (!widest) break;
    widest.width -= 1;
  }
  return fitting;
}

function widestShrinkable<T>(columns: readonly Sized<T>[]): Sized<T> | undefined {
  return columns.filter((column) => column.width > leastOf(column)).sort((a, b) => b.width - a.width)[0];
}

const totalWidth = (columns: readonly { width: number }[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP.length * (columns.length - 1);

const leastWidth = <T>(columns: readonly Sized<T>[]): number =>
  totalWidth(columns.map((column) => ({ width: Math.min(column.width, leastOf(column)) })));

const leastOf = <T>({ whenNarrow, least, width, title }: Sized<T>): number =>
  Math.max(least ?? (whenNarrow === 'shrink' ? NARROWEST : width), title.length);

function cell<T>(column: Sized<T>, item: T, isLast: boolean, space: TableSpace): string {
  const text = pad(shorten(printable(column.text(item)), column.width), column.width, isLast);
  const style = column.style?.(item);
  return style === undefined ? text : space.paint(style, text);
}

const pad = (text: string, width: number, isLast: boolean): string =>
  isLast ? text : text + ' '.repeat(Math.max(0, width - displayWidth(text)));
