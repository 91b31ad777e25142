import { json, Router, type Request, type RequestHandler } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { createGuards, getAuth, type Guards } from '@latchkey/express-adapter';
import type { Endpoint } from './endpoint.js';
import type { PlatformData } from './platform-data.js';

/** A router with these endpoints. Its errors are left to the app: see `platform-app.ts`. */
export function mountEndpoints(auth: Auth, endpoints: readonly Endpoint[], data: PlatformData): Router {
  const guards = createGuards(auth);
  const parseBody = json({ limit: '100kb', type: 'application/json' });
  const router = Router();
  for (const endpoint of endpoints) {
    // Nobody's body is read before we know who they are.
    router[endpoint.method](
      endpoint.path.replace('{id}', ':id'),
      admit(endpoint, guards),
      parseBody,
      serve(endpoint, data),
    );
  }
  return router;
}

/** As `guards.requireAuth`, but with the status that the platform lists for the endpoint: 403 where that is not 401. */
function admit({ lists }: Endpoint, guards: Guards): RequestHandler {
  return async (request, _response, next) => {
    try {
      await guards.authenticate(request);
    } catch (error) {
      throw lists.includes(401) ? error : withoutUnauthorized(error);
    }
    next();
  };
}

function withoutUnauthorized(error: unknown): unknown {
  const isUnauthorized =
    AuthError.is(error) && (error.code === 'unauthorized' || error.code === 'session_revoked');
  return isUnauthorized ? AuthError.forbidden() : error;
}

function serve(endpoint: Endpoint, data: PlatformData): RequestHandler {
  return async (request, response) => {
    const result = await endpoint.serve({
      id: request.params.id,
      query: request.query,
      body: bodyOf(request, endpoint),
      caller: getAuth(request),
      data,
    });
    response.json({ success: true, data: result });
  };
}

/** @throws AuthError `validation_error` for a body that is needed and missing, and for one that is no JSON. */
function bodyOf(request: Request, { body }: Endpoint): unknown {
  if (!body) return {};
  if (hasNoBody(request)) {
    if (body.required) throw AuthError.validation('The body must be a JSON object; it is empty.');
    return {};
  }
  if (request.body === undefined) throw AuthError.validation('Content-Type must be application/json.');
  return request.body;
}

/** Neither a length nor chunks (RFC 9112 section 6.3). */
function hasNoBody({ headers }: Request): boolean {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined;
}
