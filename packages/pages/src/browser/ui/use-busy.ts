import { useCallback, useRef, useState } from 'preact/hooks';

/** Returns whether work is running, and a function that runs work unless some is running already. */
export function useBusy(): [isBusy: boolean, run: (work: () => unknown) => Promise<void>] {
  const [isBusy, setBusy] = useState(false);
  // The state is that of the last rendering; two presses may come before the next one.
  const isRunning = useRef(false);
  const run = useCallback(async (work: () => unknown) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }, []);
  return [isBusy, run];
}
