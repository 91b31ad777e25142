/** Starts a timer that does not keep a Node process alive; other runtimes have numbers for timers. */
export function quietInterval(work: () => void, intervalMs: number): () => void {
  const timer: unknown = setInterval(work, intervalMs);
  unref(timer);
  return () => clearInterval(timer as Parameters<typeof clearInterval>[0]);
}

/** Waits. Ends early, without an error, when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
