import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { download } from '../../download.js';
import { csvOf } from '../csv.js';
import { failureText } from '../failure.js';
import { numberText } from '../format.js';
import { toast } from '../overlay-store.js';
import type { Outcome } from '../use-query.js';
import { Icon } from './icons.js';

const MOST_ROWS = 10_000;
const PAGE_ROWS = 1_000;

/** A page of a list that grows. */
interface ListPage {
  limit: number;
  cursor?: string;
}

interface ExportButtonProps<Row extends object> {
  /** The name of the file, without its ending. */
  name: string;
  fields: readonly (keyof Row & string)[];
  read: (page: ListPage, signal: AbortSignal) => Promise<Outcome<Row[]>>;
}

/** Saves what a list shows, all pages of it, as CSV. Leaving the view ends it. */
export function ExportButton<Row extends object>({
  name,
  fields,
  read,
}: ExportButtonProps<Row>): JSX.Element {
  const [count, setCount] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setCount(0);
    const { rows, failure, isWhole } = await readAll(read, abort.signal, setCount);
    if (abort.signal.aborted) return;
    setCount(undefined);
    if (failure) {
      toast(failureText(failure), true);
      return;
    }
    download(`${name}.csv`, csvOf(rows, fields), 'text/csv;charset=utf-8');
    const total = numberText(rows.length);
    toast(isWhole ? shell.exported(total) : shell.exportedPart(total));
  };
  return (
    <button type="button" class="button secondary" disabled={count !== undefined} onClick={() => void run()}>
      <Icon name="download" /> {count === undefined ? shell.export : shell.exporting(numberText(count))}
    </button>
  );
}

interface Read<Row> {
  rows: Row[];
  failure?: Extract<Outcome<unknown>, { ok: false }>['error'];
  /** False if the list has more rows than a file may have. */
  isWhole: boolean;
}

async function readAll<Row>(
  read: (page: ListPage, signal: AbortSignal) => Promise<Outcome<Row[]>>,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<Read<Row>> {
  const rows: Row[] = [];
  let page: ListPage = { limit: PAGE_ROWS };
  for (;;) {
    const outcome = await read(page, signal);
    if (!outcome.ok) return { rows, failure: outcome.error, isWhole: false };
    rows.push(...outcome.data);
    onProgress(rows.length);
    const cursor = outcome.response.headers.get('x-next-cursor');
    if (cursor === null) return { rows, isWhole: true };
    if (rows.length >= MOST_ROWS) return { rows, isWhole: false };
    page = { limit: PAGE_ROWS, cursor };
  }
}
