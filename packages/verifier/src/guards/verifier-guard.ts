import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A middleware of Express, or of anything else that calls it with a request and a response of Node and a function that
 * goes on.
 * @returns nothing if the request was allowed or answered at once, else a promise that is fulfilled when it is.
 */
export type VerifierGuard = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void> | void;
