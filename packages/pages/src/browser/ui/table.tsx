import type { ComponentChildren, VNode } from 'preact';

interface Column<Item> {
  title: string;
  /** Returns the content of the cell of an item. */
  cell: (item: Item) => ComponentChildren;
}

interface TableProps<Item> {
  /** The accessible name of the table. */
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
}

/** A table that scrolls sideways by itself where it is wider than the page, also by the arrow keys. */
export const Table = <Item,>({ label, columns, items, keyOf }: TableProps<Item>): VNode => (
  <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map(({ title, cell }) => (
              <td key={title}>{cell(item)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
