import type { ComponentChildren, JSX } from 'preact';
import { useRowKeys } from '../rows.js';

/** A column of a list: the place of its cells is set by the style of the list. */
export interface Column<Item> {
  /** Empty for a column that needs none, such as buttons. */
  heading: string;
  cell: (item: Item) => ComponentChildren;
  /** Hidden where the screen is narrow. */
  isMinor?: boolean;
}

interface RecordsProps<Item extends { id: string }> {
  label: string;
  /** Chooses the widths of the columns. */
  kind: string;
  items: readonly Item[];
  columns: readonly Column<Item>[];
}

/** A list of records, whose main controls the keys `j` and `k` move through. Narrow screens show each as a card. */
export function Records<Item extends { id: string }>({
  label,
  kind,
  items,
  columns,
}: RecordsProps<Item>): JSX.Element {
  useRowKeys();
  return (
    <div class={`records ${kind}`}>
      <div class="record-head" aria-hidden="true">
        {columns.map(({ heading, isMinor }, index) => (
          <span key={index} class={isMinor ? 'minor' : undefined}>
            {heading}
          </span>
        ))}
      </div>
      <ul aria-label={label}>
        {items.map((item) => (
          <li key={item.id} class="record" data-record={item.id}>
            {columns.map((column, index) => (
              <Cell key={index} column={column} item={item} isFirst={index === 0} />
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface CellProps<Item> {
  column: Column<Item>;
  item: Item;
  isFirst: boolean;
}

function Cell<Item>({ column: { heading, cell, isMinor }, item, isFirst }: CellProps<Item>): JSX.Element {
  return (
    <div class={`cell ${isMinor ? 'minor' : ''}`}>
      {heading !== '' && !isFirst && <span class="cell-name">{heading}</span>}
      {cell(item)}
    </div>
  );
}
