import type { ResponseHeaders } from './response-headers.js';

/** The body of a response: complete, or sent part by part, the next one when the client has accepted the last. */
type HttpBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** A response for any host to send. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined for none, such as for HEAD. */
  readonly body?: HttpBody | undefined;
  /** Aborted when sending must end: the host then closes the connection, so that no part passes for the whole. */
  readonly until?: AbortSignal | undefined;
  /** Runs what sends the response in the context of its trace. */
  readonly within?: (<T>(send: () => T) => T) | undefined;
}

export const isStreamed = (body: HttpBody | undefined): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && !(body instanceof Uint8Array);

/**
 * Returns the response with a function that runs once: when its body has been sent or given up. That is now for a body that is
 * complete.
 * @param ended takes the error that ended a body early, if it was not the client.
 */
export function whenSent(response: HttpResponse, ended: (error?: unknown) => void): HttpResponse {
  const { body, until } = response;
  if (!isStreamed(body)) {
    ended();
    return response;
  }
  let hasEnded = false;
  const end = (error?: unknown): void => {
    if (hasEnded) return;
    hasEnded = true;
    ended(error);
  };
  return { ...response, body: { [Symbol.asyncIterator]: () => reported(body, end, until) } };
}

/** An iterator, and no generator: one that was not started would not see its end. */
function reported(
  body: AsyncIterable<Uint8Array>,
  end: (error?: unknown) => void,
  until: AbortSignal | undefined,
): AsyncIterator<Uint8Array> {
  const parts = body[Symbol.asyncIterator]();
  let isStarted = false;
  return {
    async next() {
      isStarted = true;
      try {
        const part = await parts.next();
        if (part.done) end();
        return part;
      } catch (error) {
        end(error);
        throw error;
      }
    },
    async return() {
      // A generator that was never started would not run its `finally`.
      if (!isStarted) await parts.next();
      await parts.return?.();
      end(until?.aborted ? until.reason : undefined);
      return { done: true, value: undefined };
    },
  };
}
