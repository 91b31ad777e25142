import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction } from 'express';

/**
 * A middleware. Its types require less than Express' `RequestHandler`, so it combines with handlers of any `Request<…>`
 * and does not affect the types of their parameters.
 * @returns a promise that is fulfilled once the request has been allowed or answered.
 */
export type Guard = (request: IncomingMessage, response: ServerResponse, next: NextFunction) => Promise<void>;
