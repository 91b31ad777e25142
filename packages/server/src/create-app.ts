import type { RequestListener, ServerResponse } from 'node:http';
import type { Level, Logger } from 'pino';
import { AuthError, type Auth } from '@latchkey/core';
import { inspectSettings } from '@latchkey/core/settings';
import {
  authEndpoints,
  errorResponse,
  listenerOf,
  reportResponse,
  serviceHandler,
  type AccessLogEntry,
  type Exchange,
  type HttpRequest,
} from '@latchkey/http/internal';
import { authPages } from '@latchkey/pages';
import {
  firstAdministratorEndpoints,
  homeEndpoint,
  notFoundResponse,
  type HomeFacts,
} from '@latchkey/pages/internal';
import { docsEndpoints } from './docs-page.js';
import type { HiddenName } from './logger.js';
import type { StartupFacts } from './startup-facts.js';
import { startupLines } from './startup-summary.js';

/** Probes come every few seconds: logged at debug, and at warn while they fail. */
const PROBES = new Set(['/health', '/ready']);

/** The compiler rejects an access log with a field that other lines hide. */
type OpenEntry = AccessLogEntry & Partial<Record<HiddenName, never>>;

/**
 * Logs one line for each response, with the fields of `AccessLogEntry`. Our own code, because the usual
 * middleware creates a logger for each request, at a tenth of the throughput of a short route. Nothing is searched for
 * secrets: an entry has none of the names that are hidden, and the search takes a seventh of a short route's CPU time.
 */
function requestLog(logger: Logger): (request: HttpRequest, response: ServerResponse) => void {
  const lines = logger.child({}, { redact: [] });
  const write = (entry: OpenEntry): void => {
    const level = levelOf(entry);
    if (lines.isLevelEnabled(level)) lines[level](entry, describe(entry));
  };
  return (request, response) => reportResponse(request, response, write);
}

function levelOf({ path, status = 0 }: AccessLogEntry): Level {
  const hasFailed = status >= 500;
  if (PROBES.has(path)) return hasFailed ? 'warn' : 'debug';
  return hasFailed ? 'error' : 'info';
}

const describe = ({ method, path, status, aborted }: AccessLogEntry): string =>
  `${method} ${path} ${aborted ? 'aborted by the client' : status}`;

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
