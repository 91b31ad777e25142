const A_SECOND_MS = 1000;

/**
 * Counts whole seconds down by the clock: a tab that slept continues with the time that is left.
 * @param tick gets the seconds that are left, at once and then each second, never 0.
 * @returns a function that stops counting.
 */
export function countDown(seconds: number, tick: (left: number) => void, end: () => void): () => void {
  const endsAt = Date.now() + seconds * A_SECOND_MS;
  const run = (): void => {
    const left = Math.ceil((endsAt - Date.now()) / A_SECOND_MS);
    if (left > 0) tick(left);
    else {
      clearInterval(timer);
      end();
    }
  };
  const timer = setInterval(run, A_SECOND_MS);
  if (seconds > 0) tick(seconds);
  return () => clearInterval(timer);
}
