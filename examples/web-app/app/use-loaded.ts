import { useCallback, useEffect, useState } from 'react';

/** Returns what `load` returns, and a function that loads again. */
export function useLoaded<Value>(load: () => Promise<Value>): [Value | undefined, () => void] {
  const [value, setValue] = useState<Value>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    void load().then((loaded) => {
      if (isCurrent) setValue(loaded);
    });
    return () => void (isCurrent = false);
    // `load` is another function in each rendering and does the same.
  }, [round]);
  return [value, useCallback(() => setRound((current) => current + 1), [])];
}
