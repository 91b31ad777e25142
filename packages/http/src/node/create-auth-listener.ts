import type { RequestListener } from 'node:http';
import type { Auth } from '@latchkey/core';
import { aFunction, assertOptions, trueOrFalse } from '@latchkey/core/settings';
import { assertAuth } from '../assert-auth.js';
import { authEndpoints } from '../routing/auth-endpoints.js';
import { notFoundOf, type Pages } from '../routing/pages.js';
import { serviceHandler } from '../routing/request-handler.js';
import { listenerOf } from './listener.js';

/** Options of `createAuthListener`. */
export interface AuthListenerOptions {
  /** `authPages` of `@latchkey/pages` adds the pages and the development inbox `/dev/mail`. Defaults to none. */
  pages?: Pages;
  /** False omits `/metrics`. Defaults to true. */
  metrics?: boolean;
}

/**
 * Creates a listener with every route of the service for a server of Node.js that has nothing else. The setting `TRUST_PROXY`
 * decides which forwarded addresses count.
 * @throws TypeError when `auth` is not the result of `createAuth` or has been closed, and for unknown options.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * const server = createServer(createAuthListener(auth)).listen(0);
 * const { port } = server.address() as { port: number };
 * (await fetch(`http://127.0.0.1:${port}/health`)).status; // → 200
 * server.close();
 * ```
 */
export function createAuthListener(auth: Auth, options: AuthListenerOptions = {}): RequestListener {
  assertAuth(auth, 'createServer(createAuthListener(await createAuth(settings)))');
  assertOptions({ name: 'createAuthListener', before: 'auth, ' }, options, {
    pages: aFunction,
    metrics: trueOrFalse,
  });
  const { pages, metrics = true } = options;
  const endpoints = [...authEndpoints(auth, { metrics }), ...(pages?.(auth) ?? [])];
  const handle = serviceHandler(auth, endpoints, notFoundOf(auth, pages));
  return listenerOf(handle, { trustProxy: auth.settings.http.trustProxy });
}
