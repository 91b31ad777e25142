import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Result } from '@latchkey/client';
import type { Failure } from '../failure.js';

/** What a request has loaded so far. */
export interface Loaded<Data> {
  /** Undefined until it is there. The data before stays while it is loaded again. */
  data: Data | undefined;
  failure: Failure | undefined;
  /** Loads it again. */
  reload: () => Promise<void>;
}

/** Loads data when a component is shown. */
export function useLoaded<Data>(load: () => Promise<Result<Data, Failure>>): Loaded<Data> {
  const [data, setData] = useState<Data>();
  const [failure, setFailure] = useState<Failure>();
  const reload = useCallback(async () => {
    const result = await load();
    setFailure(result.error);
    if (result.ok) setData(() => result.data);
  }, []);
  useEffect(() => void reload(), []);
  return { data, failure, reload };
}
