import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../failure.js';
import type { Outcome } from './use-query.js';

const PAGE_SIZE = 50;
/** Entries that a live list keeps: it stays bounded however long it is open. */
const MOST_LIVE = 500;
const POLL_MS = 2000;
const RETRY_MS = 10_000;

/** The part of an audit log to read, as its route takes it. */
interface AuditPage {
  limit: number;
  cursor?: string;
  tail?: boolean;
}

/** Reads a page of an audit log. The cursor of the next one is in its headers. */
type ReadPage<Entry> = (page: AuditPage, signal?: AbortSignal) => Promise<Outcome<Entry[]>>;

/** A list of audit entries, newest first. */
interface AuditFeed<Entry> {
  entries: readonly Entry[] | undefined;
  failure: Failure | undefined;
  /** Loads older entries; undefined when there are none. */
  loadOlder: (() => void) | undefined;
  reload: () => void;
  /** True while the last attempt to read new entries failed. */
  isCutOff: boolean;
}

interface State<Entry> {
  entries: readonly Entry[] | undefined;
  failure: Failure | undefined;
  next: string | undefined;
}

const NOTHING = { entries: undefined, failure: undefined, next: undefined };

/**
 * Reads a log, page by page, and again when the key changes. With `isLive`, entries that are written from then on appear at the top.
 */
export function useAuditFeed<Entry extends { id: string }>(
  key: string,
  readPage: ReadPage<Entry>,
  isLive: boolean,
): AuditFeed<Entry> {
  const [state, setState] = useState<State<Entry>>(NOTHING);
  const [turn, setTurn] = useState(0);
  const read = async (cursor: string | undefined, signal?: AbortSignal): Promise<void> => {
    const page = await readPage(pageAt(cursor), signal);
    if (signal?.aborted) return;
    if (!page.ok) {
      setState((before) => ({ ...before, failure: page.error }));
      return;
    }
    const next = cursorOf(page.response);
    const known = (before: State<Entry>): readonly Entry[] =>
      cursor === undefined ? [] : (before.entries ?? []);
    setState((before) => ({ entries: merged(known(before), page.data), failure: undefined, next }));
  };
  useEffect(() => {
    const abort = new AbortController();
    setState(NOTHING);
    void read(undefined, abort.signal);
    return () => abort.abort();
  }, [key, turn]);
  const add = useCallback((fresh: readonly Entry[]) => {
    setState((before) => ({
      ...before,
      entries: merged(fresh.toReversed(), before.entries ?? []).slice(0, MOST_LIVE),
    }));
  }, []);
  const isCutOff = useTail(key, readPage, isLive, add);
  const { next } = state;
  return {
    entries: state.entries,
    failure: state.failure,
    loadOlder: next === undefined ? undefined : () => void read(next),
    reload: () => setTurn(turn + 1),
    isCutOff,
  };
}

const pageAt = (cursor: string | undefined): AuditPage => ({
  limit: PAGE_SIZE,
  ...(cursor !== undefined && { cursor }),
});

const cursorOf = (response: Response): string | undefined =>
  response.headers.get('x-next-cursor') ?? undefined;

/** Joins lists without entries that are in both: one that follows the log may return an entry again. */
function merged<Entry extends { id: string }>(
  first: readonly Entry[],
  second: readonly Entry[],
): readonly Entry[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id))];
}

/** Follows the log while it is shown: one request at a time, none while the tab is in the background. */
function useTail<Entry>(
  key: string,
  readPage: ReadPage<Entry>,
  isLive: boolean,
  add: (fresh: readonly Entry[]) => void,
): boolean {
  const [isCutOff, setCutOff] = useState(false);
  const latest = useRef(readPage);
  latest.current = readPage;
  useEffect(() => {
    if (!isLive) {
      setCutOff(false);
      return undefined;
    }
    const abort = new AbortController();
    let cursor: string | undefined;
    let timer = 0;
    const poll = async (): Promise<void> => {
      const { signal } = abort;
      const page = await latest.current({ ...pageAt(cursor), tail: true }, signal);
      if (signal.aborted) return;
      setCutOff(!page.ok);
      if (page.ok) {
        cursor = cursorOf(page.response) ?? cursor;
        if (page.data.length > 0) add(page.data);
      }
      timer = setTimeout(next, page.ok ? POLL_MS : RETRY_MS);
    };
    const next = (): void => {
      if (document.visibilityState === 'visible') void poll();
      else timer = setTimeout(next, POLL_MS);
    };
    next();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [key, isLive]);
  return isCutOff;
}
