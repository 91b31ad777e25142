import { AsyncLocalStorage } from 'node:async_hooks';
import type { Auth } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import { whenSent, type HttpResponse } from '../exchange/http-response.js';
import { rememberRoute } from '../exchange/request-facts.js';
import { requestIdOf } from '../exchange/request-id.js';
import { methodOf } from '../exchange/request-method.js';
import { withDeadline } from './deadline.js';
import type { Endpoint, PathParams } from './endpoint.js';
import { endpointNotFound, errorResponse, logFailure } from './error-response.js';
import type { Route } from './route.js';
import { serveRoute } from './serve-route.js';

/**
 * Returns the endpoints of a table of routes, one for each path: it also responds to methods that the path does not have.
 * @throws TypeError when a route is in the table twice.
 */
export const apiEndpoints = (auth: Auth, routes: readonly Route[]): Endpoint[] =>
  [...groupByPath(routes)].map(([path, methods]) => {
    auth.metrics.http.announce(path);
    return { path, serve: dispatcher(methods, auth) };
  });

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

const dispatcher =
  (methods: Methods, auth: Auth): Endpoint['serve'] =>
  (exchange, params) => {
    const route = methods.get(methodOf(exchange.request));
    if (route) rememberRoute(exchange.request, route.path);
    if (route?.offered(auth)) return serveTraced({ route, auth, exchange, params });
    return endpointNotFound(exchange, auth);
  };

interface Call {
  route: Route;
  auth: Auth;
  exchange: Exchange;
  params: PathParams;
}

/** Serves a request in a span of its own if tracing is on. The span ends when the body has been sent. */
function serveTraced(call: Call): Promise<HttpResponse> {
  const { auth, route, exchange } = call;
  const { tracer } = auth;
  if (!tracer) return serve(call);
  const { method, headers } = exchange.request;
  let status = 0;
  return new Promise((resolve) => {
    void tracer.request({ method, route: route.path, headers, status: () => status }, async () => {
      const response = await serve(call);
      ({ status } = response);
      const within = AsyncLocalStorage.snapshot();
      await new Promise<void>((sent) => resolve({ ...whenSent(response, () => sent()), within }));
    });
  });
}

/** Serves a request and measures it until its body has been sent, without the time that it waited on purpose. */
async function serve({ route, auth, exchange, params }: Call): Promise<HttpResponse> {
  const beganAt = auth.metrics.http.begin();
  let idleMs = 0;
  const respond = async (): Promise<HttpResponse> => {
    const served = await withDeadline(serveRoute(route, auth, { ...exchange, params }));
    return typeof served === 'function' ? served((ms) => (idleMs += ms)) : served;
  };
  const { security } = route.caller;
  // A route that takes an access token and needs none may require a recent sign-in.
  const challengesBearer =
    security === 'api-key' || security.endsWith('bearer') || route.stepUp !== undefined;
  const response = await respond().catch((error: unknown) =>
    errorResponse(exchange, error, { logger: auth.logger, challengesBearer }),
  );
  const { status } = response;
  return whenSent(response, (error) => {
    if (error !== undefined)
      logFailure(error, { logger: auth.logger, requestId: requestIdOf(exchange.request) });
    auth.metrics.http.end(beganAt + idleMs, { route: route.path, method: exchange.request.method, status });
    route.answered?.(auth, status);
  });
}
