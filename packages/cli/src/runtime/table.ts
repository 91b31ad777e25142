import { displayWidth, printable, shorten } from './printable.js';
import type { Style } from './terminal.js';

export interface Column<T> {
  title: string;
  text: (item: T) => string;
  /** What happens when the terminal is narrow: it stays whole (default), is cut, or goes, the last such one first. */
  whenNarrow?: 'shrink' | 'drop';
  /** The columns it needs to be of use: it is cut down to that, and goes only where not even that fits. */
  least?: number;
  /** An id, of which so much is shown as tells it from the others. */
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
/** What a column is cut down to unless it says otherwise: enough of an email address to tell who it is. */
const NARROWEST = 24;

/** Lines of an aligned table that fits the terminal, unless even its narrowest form does not. */
export function renderTable<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  space: TableSpace,
): string[] {
  const sized = fit(
    columns
      .map((column) =>
        column.isId === true ? { ...column, text: beginnings(items.map(column.text), column.text) } : column,
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

/** The beginnings of ids that tell them apart here; commands take them in place of the whole. */
function beginnings<T>(ids: readonly string[], textOf: (item: T) => string): (item: T) => string {
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
