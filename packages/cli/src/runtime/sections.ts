import { renderTable, type Column, type TableSpace } from './table.js';

/** Returns the lines of one table whose rows are grouped under headings; rows of one heading follow each other. */
export function renderSections<T>(
  items: readonly T[],
  headingOf: (item: T) => string,
  columns: readonly Column<T>[],
  space: TableSpace,
): string[] {
  const [, ...rows] = renderTable(items, columns, { ...space, columns: space.columns - INDENT.length });
  return items.flatMap((item, index) => {
    const heading = headingOf(item);
    const previous = items[index - 1];
    const isFirst = previous === undefined || headingOf(previous) !== heading;
    const above = previous === undefined ? [] : [''];
    const row = `${INDENT}${rows[index] ?? ''}`;
    return isFirst ? [...above, space.paint('bold', heading), row] : [row];
  });
}

const INDENT = '  ';
