import { json, Router, type Request, type RequestHandler } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { createGuards, getAuth, type Guards } from '@latchkey/express-adapter';
import type { Endpoint } from './endpoint.js';
import type { PlatformData } from './platform-data.js';

/** Returns a router with these endpoints. The app handles its errors: see `platform-app.ts`. */
export function mountEndpoints(auth: Auth, endpoints: readonly Endpoint[], data: PlatformData): Router {
  const guards = createGuards(auth);
  const parseBody = json({ limit: '100kb', type: 'application/json' });
  const router = Router();
  for (const endpoint of endpoints) {
    // Bodies are read after authentication only.
    router[endpoint.method](
      endpoint.path.replace('{id}', ':id'),
      authorize(endpoint, guards),
      parseBody,
      serve(endpoint, data),
    );
  }
  return router;
}

/** Like `guards.requireAuth`, but responds with 403 for endpoints whose specification does not list 401. */
function authorize({ lists }: Endpoint, guards: Guards): RequestHandler {
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

/** @throws AuthError `validation_error` for a missing required body and for invalid JSON. */
function bodyOf(request: Request, { body }: Endpoint): unknown {
  if (!body) return {};
  if (hasNoBody(request)) {
    if (body.required) throw AuthError.validation('The body must be a JSON object; it is empty.');
    return {};
  }
  if (request.body === undefined) throw AuthError.validation('Content-Type must be application/json.');
  return request.body;
}

/** True without a length and without chunks (RFC 9112 section 6.3). */
function hasNoBody({ headers }: Request): boolean {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined;
}
