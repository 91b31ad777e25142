/** Starts a timer that does not keep a Node process alive; other runtimes have numbers for timers. */
export function quietInterval(work: () => void, intervalMs: number): () => void {
  const timer: unknown = setInterval(work, intervalMs);
  unref(timer);
  return () => clearInterval(timer as Parameters<typeof clearInterval>[0]);
}

function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
