import type { ComponentChildren, JSX } from 'preact';
import { recordMessages as messages } from '../../../messages/en/console/shell.js';
import { useKeys } from '../keys.js';
import { setQuery, usePlace } from '../router.js';
import { currentRecord, useRowKeys } from '../rows.js';
import type { Selection } from '../selection.js';
import { Icon } from './icons.js';

/** A column of a list: the place of its cells is set by the style of the list. */
export interface Column<Item> {
  /** Empty for a column that needs none, such as buttons. */
  heading: string;
  cell: (item: Item) => ComponentChildren;
  /** Hidden where the screen is narrow. */
  isMinor?: boolean;
  /** The values of the filter `sort` that order the list by this column: the first one is that of the first press. */
  sorts?: readonly [first: string, reversed: string, ...alike: string[]];
}

interface RecordsProps<Item extends { id: string }> {
  label: string;
  /** Chooses the widths of the columns. */
  kind: string;
  items: readonly Item[];
  columns: readonly Column<Item>[];
  /** The order of a list without the filter `sort`. */
  usualSort?: string;
  /** Lets records be selected. */
  selection?: Selection<Item> | undefined;
}

/**
 * A list of records, whose main controls the keys `j` and `k` move through. Narrow screens show each as a card. A list that can be
 * sorted is a table, because only headings of columns can say how they are sorted.
 */
export function Records<Item extends { id: string }>(props: RecordsProps<Item>): JSX.Element {
  const { label, kind, items, columns, selection } = props;
  useRowKeys();
  useKeys(selection ? { x: () => toggleCurrent(selection, items) } : {});
  const isTable = columns.some(({ sorts }) => sorts);
  const Rows = isTable ? 'div' : 'ul';
  const Row = isTable ? 'div' : 'li';
  return (
    <div
      class={`records ${kind} ${selection ? 'selectable' : ''}`}
      {...(isTable && { role: 'table', 'aria-label': label })}
    >
      <Head {...props} isTable={isTable} />
      <Rows {...(isTable ? { role: 'rowgroup' } : { 'aria-label': label })}>
        {items.map((item) => (
          <Row key={item.id} class="record" data-record={item.id} role={isTable ? 'row' : undefined}>
            {selection && <Pick item={item} selection={selection} />}
            {columns.map((column, index) => (
              <Cell key={index} column={column} item={item} isFirst={index === 0} isTable={isTable} />
            ))}
          </Row>
        ))}
      </Rows>
    </div>
  );
}

function toggleCurrent<Item extends { id: string }>(
  selection: Selection<Item>,
  items: readonly Item[],
): void {
  const item = items.find(({ id }) => id === currentRecord());
  if (item && selection.isOffered(item)) selection.toggle([item], !selection.has(item));
}

function Head<Item extends { id: string }>({
  columns,
  items,
  selection,
  isTable,
  usualSort,
}: RecordsProps<Item> & { isTable: boolean }): JSX.Element {
  const cells = columns.map((column, index) =>
    column.sorts ? (
      <SortHeading key={index} {...column} sorts={column.sorts} usualSort={usualSort} />
    ) : (
      <span
        key={index}
        class={column.isMinor ? 'minor' : undefined}
        role={isTable ? 'columnheader' : undefined}
      >
        {column.heading}
      </span>
    ),
  );
  if (isTable)
    return (
      <div class="table-head" role="rowgroup">
        <div class="record-head" role="row">
          {cells}
        </div>
      </div>
    );
  return (
    <div class="record-head">
      {selection && <PickAll items={items} selection={selection} />}
      {columns.map(({ heading, isMinor }, index) => (
        <span key={index} class={isMinor ? 'minor' : undefined} aria-hidden="true">
          {heading}
        </span>
      ))}
    </div>
  );
}

/** The heading of a column that orders the list: pressing it again reverses the order. */
function SortHeading({
  heading,
  isMinor,
  sorts,
  usualSort,
}: {
  heading: string;
  isMinor?: boolean;
  sorts: readonly [first: string, reversed: string, ...alike: string[]];
  usualSort: string | undefined;
}): JSX.Element {
  const current = usePlace().query.get('sort') ?? usualSort ?? '';
  const isSorted = sorts.includes(current);
  const isDescending = current.startsWith('-');
  const next = current === sorts[0] ? sorts[1] : sorts[0];
  return (
    <span
      class={isMinor ? 'minor' : undefined}
      role="columnheader"
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="sort"
        onClick={() => setQuery({ sort: next === usualSort ? undefined : next })}
      >
        {heading}
        {isSorted && <Icon name={isDescending ? 'down' : 'up'} />}
      </button>
    </span>
  );
}

interface PickProps<Item> {
  item: Item;
  selection: Selection<Item>;
}

const Pick = <Item extends { id: string }>({ item, selection }: PickProps<Item>): JSX.Element => (
  <div class="pick">
    <input
      type="checkbox"
      aria-label={messages.select(selection.nameOf(item))}
      checked={selection.has(item)}
      disabled={!selection.isOffered(item)}
      onChange={({ currentTarget }) => selection.toggle([item], currentTarget.checked)}
    />
  </div>
);

function PickAll<Item extends { id: string }>({
  items,
  selection,
}: {
  items: readonly Item[];
  selection: Selection<Item>;
}): JSX.Element {
  const offered = items.filter(selection.isOffered);
  const count = offered.filter(selection.has).length;
  return (
    <div class="pick">
      <input
        type="checkbox"
        aria-label={messages.selectAll}
        checked={count > 0 && count === offered.length}
        indeterminate={count > 0 && count < offered.length}
        disabled={offered.length === 0}
        onChange={({ currentTarget }) => selection.toggle(offered, currentTarget.checked)}
      />
    </div>
  );
}

interface CellProps<Item> {
  column: Column<Item>;
  item: Item;
  isFirst: boolean;
  isTable: boolean;
}

function Cell<Item>({
  column: { heading, cell, isMinor },
  item,
  isFirst,
  isTable,
}: CellProps<Item>): JSX.Element {
  return (
    <div class={`cell ${isMinor ? 'minor' : ''}`} role={isTable ? 'cell' : undefined}>
      {heading !== '' && !isFirst && !isTable && <span class="cell-name">{heading}</span>}
      {heading !== '' && !isFirst && isTable && (
        <span class="cell-name" aria-hidden="true">
          {heading}
        </span>
      )}
      {cell(item)}
    </div>
  );
}
