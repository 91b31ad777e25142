import { useCallback, useEffect, useState } from 'preact/hooks';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import type { AuditEntry, AuditQuery } from './types.js';

const PAGE_SIZE = 50;
/** Entries that a live list keeps: it stays bounded however long it is open. */
const MOST_LIVE = 500;
const POLL_MS = 2000;
const RETRY_MS = 10_000;

type AuditFilter = Omit<AuditQuery, 'limit' | 'cursor' | 'tail'>;

/** A list of audit entries, newest first. */
export interface AuditFeed {
  entries: readonly AuditEntry[] | undefined;
  failure: Failure | undefined;
  /** Loads older entries; undefined when there are none. */
  loadOlder: (() => void) | undefined;
  reload: () => void;
  /** True while the last attempt to read new entries failed. */
  isCutOff: boolean;
}

interface State {
  entries: readonly AuditEntry[] | undefined;
  failure: Failure | undefined;
  next: string | undefined;
}

const NOTHING: State = { entries: undefined, failure: undefined, next: undefined };

/** Reads the log, page by page. With `isLive`, entries that are written from then on appear at the top. */
export function useAuditFeed(filter: AuditFilter, isLive: boolean): AuditFeed {
  const key = JSON.stringify(filter);
  const [state, setState] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  const read = async (cursor: string | undefined, signal?: AbortSignal): Promise<void> => {
    const query = { ...filter, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const page = await client.request('GET', '/internal/audit-logs', { query, ...(signal && { signal }) });
    if (signal?.aborted) return;
    if (page.error) {
      setState((before) => ({ ...before, failure: page.error }));
      return;
    }
    const next = page.response.headers.get('x-next-cursor') ?? undefined;
    const known = (before: State): readonly AuditEntry[] =>
      cursor === undefined ? [] : (before.entries ?? []);
    setState((before) => ({ entries: merged(known(before), page.data), failure: undefined, next }));
  };
  useEffect(() => {
    const abort = new AbortController();
    setState(NOTHING);
    void read(undefined, abort.signal);
    return () => abort.abort();
  }, [key, turn]);
  const add = useCallback((fresh: readonly AuditEntry[]) => {
    setState((before) => ({
      ...before,
      entries: merged(fresh.toReversed(), before.entries ?? []).slice(0, MOST_LIVE),
    }));
  }, []);
  const isCutOff = useTail(key, filter, isLive, add);
  const { next } = state;
  return {
    entries: state.entries,
    failure: state.failure,
    loadOlder: next === undefined ? undefined : () => void read(next),
    reload: () => setTurn(turn + 1),
    isCutOff,
  };
}

/** Joins lists without entries that are in both: one that follows the log may return an entry again. */
function merged(first: readonly AuditEntry[], second: readonly AuditEntry[]): readonly AuditEntry[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id))];
}

/** Follows the log while it is shown: one request at a time, none while the tab is in the background. */
function useTail(
  key: string,
  filter: AuditFilter,
  isLive: boolean,
  add: (fresh: readonly AuditEntry[]) => void,
): boolean {
  const [isCutOff, setCutOff] = useState(false);
  useEffect(() => {
    if (!isLive) {
      setCutOff(false);
      return undefined;
    }
    const abort = new AbortController();
    let cursor: string | undefined;
    let timer = 0;
    const poll = async (): Promise<void> => {
      const query = { ...filter, tail: true, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
      const { signal } = abort;
      const page = await client.request('GET', '/internal/audit-logs', { query, signal });
      if (signal.aborted) return;
      setCutOff(!page.ok);
      if (page.ok) {
        cursor = page.response.headers.get('x-next-cursor') ?? cursor;
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
