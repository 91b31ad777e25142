import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A middleware of Express, or of anything else that calls it with a request and a response of Node and a function that
 * goes on.
 * @returns nothing if the request was allowed or answered at once, else a promise that is fulfilled when it is.
 * @example
 * ```ts
 * const forStaff = (verifier: Verifier): VerifierGuard[] => [
 *   requireRole(verifier, 'PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'),
 *   requireFresh(verifier, '15m'),
 * ];
 * ```
 */
export type VerifierGuard = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void> | void;
