import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Result } from '@latchkey/client';
import type { Failure } from '../failure.js';

/** The result of a request, as the client returns it. */
export type Outcome<Data> = Result<Data, Failure>;

/** What a view has loaded. Data of an earlier load stays while the next one is on its way. */
export interface Query<Data> {
  data: Data | undefined;
  /** Total of a list, from `X-Total-Count`. */
  total: number | undefined;
  failure: Failure | undefined;
  isLoading: boolean;
  reload: () => void;
}

type State<Data> = Omit<Query<Data>, 'reload'>;
type Load<Data> = (signal: AbortSignal) => Promise<Outcome<Data>>;

const NOTHING = { data: undefined, total: undefined, failure: undefined, isLoading: true } as const;

/**
 * Loads data for a view, and again when the key changes. An answer that came too late is dropped. Without a key nothing
 * is loaded.
 */
export function useQuery<Data>(key: string | undefined, load: Load<Data>): Query<Data> {
  const [state, setState] = useState<State<Data>>(NOTHING);
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === undefined) return undefined;
    const abort = new AbortController();
    setState((before) => ({ ...before, failure: undefined, isLoading: true }));
    void latest.current(abort.signal).then((outcome) => {
      if (!abort.signal.aborted) setState(stateOf(outcome));
    });
    return () => abort.abort();
  }, [key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, reload };
}

function stateOf<Data>(outcome: Outcome<Data>): State<Data> {
  if (!outcome.ok) return { data: undefined, total: undefined, failure: outcome.error, isLoading: false };
  const count = outcome.response.headers.get('x-total-count');
  const total = count === null ? undefined : Number(count);
  return { data: outcome.data, total, failure: undefined, isLoading: false };
}

/** The key of a load that depends on these values. */
export const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Returns the values that are set. */
export const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  ) as Defined<Values>;
