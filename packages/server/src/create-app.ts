import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { AuthError, type Auth } from '@latchkey/core';
import { inspectSettings } from '@latchkey/core/settings';
import {
  authEndpoints,
  errorResponse,
  listenerOf,
  serviceHandler,
  type Exchange,
} from '@latchkey/http/internal';
import { authPages } from '@latchkey/pages';
import {
  firstAdministratorEndpoints,
  homeEndpoint,
  notFoundResponse,
  type HomeFacts,
} from '@latchkey/pages/internal';
import { docsEndpoints } from './docs-page.js';
import { requestLog } from './request-log.js';
import type { StartupFacts } from './startup-facts.js';
import { startupLines } from './startup-summary.js';

/**
 * Returns the standalone application: request log, every route, `/` and `/docs` for people, and a 404 for all other paths,
 * as a page for browsers and in JSON for other clients.
 * @param startup returns the facts of the start, or undefined until it has ended.
 */
export function createApp(
  auth: Auth,
  logger: Logger,
  startup: () => StartupFacts | undefined,
): RequestListener {
  const { http } = auth.settings;
  const endpoints = [
    ...authEndpoints(auth),
    ...authPages(auth),
    ...firstAdministratorEndpoints(auth),
    homeEndpoint(auth, () => homeFacts(auth, startup())),
    ...(http.docs ? docsEndpoints(auth) : []),
  ];
  const handle = serviceHandler(auth, endpoints, (exchange) => notFound(auth, exchange));
  return listenerOf(handle, { trustProxy: http.trustProxy, log: requestLog(logger) });
}

const notFound = (auth: Auth, exchange: Exchange) =>
  notFoundResponse(auth, exchange) ??
  errorResponse(exchange, AuthError.notFound('The endpoint', 'endpoint_not_found'), auth);

function homeFacts({ settings }: Auth, startup: StartupFacts | undefined): HomeFacts | undefined {
  if (!startup) return undefined;
  const { version, metrics, defaults } = startup;
  const { faults: production } = inspectSettings({ options: { APP_ENV: 'production' } });
  return { version, metrics, defaults, production, docs: settings.http.docs, setup: startupLines(startup) };
}
