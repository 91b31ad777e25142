import type { Request, RequestHandler, Response, Router } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { withDeadline } from './deadline.js';
import { sendError } from './error-response.js';
import { rememberRoute } from './request-facts.js';
import { assignRequestId } from './request-id.js';
import { methodOf } from './request-method.js';
import type { Route } from './route.js';
import { serveRoute } from './serve-route.js';

/**
 * Mounts a table of routes. Each path has one layer, which also responds to methods that the path does not have, such as
 * OPTIONS, to which Express would respond itself.
 * @param headers sets the headers that every response of the service has.
 */
export function mountRoutes(
  router: Router,
  routes: readonly Route[],
  { auth, headers }: { auth: Auth; headers: RequestHandler },
): void {
  for (const [path, methods] of groupByPath(routes)) {
    auth.metrics.http.announce(path);
    router.all(toExpressPath(path), headers, dispatcher(methods, auth));
  }
}

type Methods = Map<string, Route>;

function groupByPath(routes: readonly Route[]): Map<string, Methods> {
  const paths = new Map<string, Methods>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, Route>();
    const method = route.method.toUpperCase();
    if (methods.has(method)) throw new TypeError(`${method} ${route.path} is in the table twice`);
    paths.set(route.path, methods.set(method, route));
  }
  return paths;
}

function dispatcher(methods: Methods, auth: Auth): RequestHandler {
  return (request, response) => {
    assignRequestId(request, response);
    const route = methods.get(methodOf(request));
    if (route) rememberRoute(request, route.path);
    if (route?.offered(auth)) void handleTraced(route, auth, request, response);
    else
      sendError(response, AuthError.notFound('The endpoint', 'endpoint_not_found'), { logger: auth.logger });
  };
}

async function handle(route: Route, auth: Auth, request: Request, response: Response): Promise<void> {
  const beganAt = auth.metrics.http.begin();
  let idleMs = 0;
  try {
    const sendRest = await withDeadline(serveRoute(route, auth, request, response));
    await sendRest?.((ms) => (idleMs += ms));
  } catch (error) {
    const challengesBearer = route.caller.security.endsWith('bearer');
    sendError(response, error, { logger: auth.logger, challengesBearer });
  }
  const { method } = request;
  auth.metrics.http.end(beganAt + idleMs, { route: route.path, method, status: response.statusCode });
  route.answered?.(auth, response.statusCode);
}

/** Handles a request in a span of its own if tracing is on. */
function handleTraced(route: Route, auth: Auth, request: Request, response: Response): Promise<void> {
  const work = () => handle(route, auth, request, response);
  if (!auth.tracer) return work();
  const { method, headers } = request;
  return auth.tracer.request({ method, route: route.path, headers, status: () => response.statusCode }, work);
}

const toExpressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
