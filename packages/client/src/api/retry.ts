import { retryAfterSeconds } from './client-error.js';

/** A bound for waiting. */
export interface WaitLimit {
  /** Seconds in total for one request. */
  seconds: number;
  /** Ends a wait early. */
  signal?: AbortSignal | undefined;
  /** Returns false after a wait if the request must not be sent again. */
  mayRepeat?: (() => Promise<boolean>) | undefined;
}

/** The least time between two attempts, for a `Retry-After` of 0. */
const SHORTEST_SECONDS = 0.25;

/**
 * Repeats a request that is limited (429) or whose service is unavailable (503) after the time that `Retry-After` names.
 * Returns such a response as it is if the header is missing or the total wait would exceed the limit.
 */
export async function waitAsAsked(send: () => Promise<Response>, limit: WaitLimit): Promise<Response> {
  for (let waited = 0; ;) {
    const response = await send();
    const asked =
      response.status === 429 || response.status === 503 ? retryAfterSeconds(response) : undefined;
    if (asked === undefined) return response;
    const seconds = Math.max(asked, SHORTEST_SECONDS);
    waited += seconds;
    if (waited > limit.seconds) return response;
    await pause(seconds, limit.signal);
    if ((await limit.mayRepeat?.()) === false) return response;
  }
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
