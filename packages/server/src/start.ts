import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AuthError, createAuth, type Auth, type AuthExtensions, type Settings } from '@latchkey/core';
import { errorResponse, getOnly, listenerOf, metricsResponse, serviceHandler } from '@latchkey/http/internal';
import { firstRunOf } from '@latchkey/pages/internal';
import { ConnectionDrain } from './connection-drain.js';
import { createApp } from './create-app.js';
import {
  completeSettings,
  type DevelopmentDefaults,
  type DevelopmentOptions,
} from './development-defaults.js';
import { createHttpServer, listen } from './http-server.js';
import { isLasting } from './start-failure.js';
import { MAX_IDLE_FACTORS, startupFacts, type StartupFacts } from './startup-facts.js';

/** Maximum time that a start waits for PostgreSQL. */
const DATABASE_WAIT_MS = 60_000;
const DATABASE_RETRY_MS = 1_000;

/** A running service. */
export interface Service {
  auth: Auth;
  port: number;
  /** Becomes unready, continues to serve for `SHUTDOWN_DELAY`, answers open requests, closes everything. */
  stop(): Promise<void>;
}

/** Options for development, and extensions of the service: claims, hooks, own rows and own mails. */
interface StartOptions extends DevelopmentOptions, AuthExtensions {}

/** Options without extensions: the compiler refuses one that is not passed on. */
type WithoutExtensions = DevelopmentOptions & { [Name in keyof AuthExtensions]?: never };

/**
 * Starts the service in its order: settings are complete, then migrations, database, Redis, finance database,
 * tokens, HTTP. Redis may be unavailable: the service is then up, not ready. The start waits for PostgreSQL.
 * @throws the errors of `createAuth`, and SettingsError if the system refuses HOST, PORT or DATA_DIR.
 * @example
 * ```ts
 * const given = { DATABASE_URL: kit.databaseUrl, JWT_SIGNING_KEY_PEM: await generateSigningKey(), PORT: '0' };
 * const settings = readSettings(given);
 * const service = await startService(settings, await createLogger(readSettings({ LOG_LEVEL: 'silent' })));
 * (await fetch(`http://127.0.0.1:${service.port}/ready`)).status; // → 200
 * await service.stop();
 * ```
 */
export async function startService(
  given: Settings,
  logger: Logger,
  { claims, before, within, mail, ...options }: StartOptions = {},
): Promise<Service> {
  const others: WithoutExtensions = options;
  const { settings, ...development } = await completeSettings(given, logger, others);
  try {
    const auth = await createAuthPatiently(settings, { logger, claims, before, within, mail });
    return await serve(auth, development, logger);
  } catch (error) {
    await development.embedded?.stop();
    throw error;
  }
}

async function serve(auth: Auth, development: DevelopmentDefaults, logger: Logger): Promise<Service> {
  const { host, port: wantedPort } = auth.settings.http;
  const drain = new ConnectionDrain();
  let startup: StartupFacts | undefined;
  const app = createApp(auth, logger, () => startup);
  const server = createHttpServer(drain.wrap(app));
  let metrics: Server | undefined;
  try {
    metrics = await openMetricsServer(auth);
    const idleFactors = await countIdleFactors(auth);
    // Nothing is awaited after it: a signal that finds a service that answers, but has not started, would end it without a stop.
    const port = await listen(server, { host, port: wantedPort });
    startup = startupFacts({ auth, port, idleFactors, ...development });
    logger.info({ startup }, `Latchkey ${startup.version} is ready`);
    void announceFirstRun(auth, port);
    const stop = async (): Promise<void> => {
      auth.health.stop();
      auth.revocations.stop();
      const { shutdownDelay, shutdownTimeout } = auth.settings;
      await drain.close(server, { delayMs: shutdownDelay * 1000, timeoutMs: shutdownTimeout * 1000 });
      closeMetricsServer(metrics);
      await auth.close();
      await development.embedded?.stop();
    };
    return { auth, port, stop };
  } catch (error) {
    closeMetricsServer(metrics);
    await auth.close();
    throw error;
  }
}

/**
 * Factors that are not asked for are reported, so that no one believes that they protect an account. No start reads in proportion
 * to the data.
 */
async function countIdleFactors({ facts, admin }: Auth): Promise<number> {
  if (facts.secondFactor !== 'off') return 0;
  return (await admin.factors.count(MAX_IDLE_FACTORS).catch(() => ({ factors: 0 }))).factors;
}

async function createAuthPatiently(
  settings: Settings,
  options: { logger: Logger } & AuthExtensions,
): Promise<Auth> {
  const end = performance.now() + DATABASE_WAIT_MS;
  for (;;) {
    try {
      return await createAuth(settings, options);
    } catch (error) {
      const mayPass = AuthError.is(error) && error.code === 'service_unavailable' && !isLasting(error);
      if (!mayPass || performance.now() > end) throw error;
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      options.logger.warn({ reason: cause }, 'PostgreSQL is not reachable; retrying.');
      await sleep(DATABASE_RETRY_MS);
    }
  }
}

/**
 * Logs how the first superadmin is created, if there is none: outside production by a link, in production by the command. The
 * start does not wait for it.
 */
async function announceFirstRun(auth: Auth, port: number): Promise<void> {
  const { logger, settings } = auth;
  const firstRun = firstRunOf(auth);
  const isProduction = settings.environment === 'production';
  const link = isProduction ? undefined : firstRun.link(port);
  // The database was reachable a moment ago. If it is not any more, the pages say the same later.
  if (!(await firstRun.isNeeded().catch(() => false))) return;
  if (link === undefined) logger.warn({}, 'There is no superadmin. Create one with: latchkey bootstrap');
  else logger.info({}, `Create the first administrator: ${link}`);
}

/** Serves the metrics if they have a port of their own; returns undefined otherwise. */
async function openMetricsServer(auth: Auth): Promise<Server | undefined> {
  const { host, port } = auth.settings.metrics;
  if (port === undefined) return undefined;
  const server = createHttpServer(metricsApp(auth));
  await listen(server, { host, port, prefix: 'METRICS_' });
  return server;
}

/** Closes the server at once: scrapes are short and repeated. */
function closeMetricsServer(server: Server | undefined): void {
  server?.close();
  server?.closeAllConnections();
}

/** Operators decide who reaches the port, so no caller is authenticated. */
function metricsApp(auth: Auth): RequestListener {
  const metrics = getOnly(auth, {
    path: '/metrics',
    serve: (exchange) => metricsResponse(auth, exchange),
  });
  const notFound = AuthError.notFound('The endpoint', 'endpoint_not_found');
  const handle = serviceHandler(auth, [metrics], (exchange) => errorResponse(exchange, notFound, auth));
  return listenerOf(handle, { trustProxy: auth.settings.http.trustProxy });
}
