import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction } from 'express';

/**
 * A middleware. It asks for less than Express' `RequestHandler` does, so it stands beside handlers of any `Request<…>`
 * and leaves the types of their parameters alone.
 * @returns a promise that is fulfilled once the request was let in or answered.
 * @example
 * ```ts
 * const { requireRole, requireFresh } = createGuards(auth);
 * const forStaff: Guard[] = [requireRole('PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'), requireFresh('15m')];
 * app.use('/admin', ...forStaff);
 * ```
 */
export type Guard = (request: IncomingMessage, response: ServerResponse, next: NextFunction) => Promise<void>;

/** A request and its answer to be. */
export interface GuardExchange {
  request: IncomingMessage;
  response: ServerResponse;
}
