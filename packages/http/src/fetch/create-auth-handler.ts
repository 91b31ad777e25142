import type { Auth } from '@latchkey/core';
import { aFunction, assertOptions, trueOrFalse, type OptionRule } from '@latchkey/core/settings';
import { assertAuth } from '../assert-auth.js';
import { authEndpoints } from '../routing/auth-endpoints.js';
import { EndpointTable } from '../routing/endpoint-table.js';
import { notFoundOf, type Pages } from '../routing/pages.js';
import { serviceHandler } from '../routing/request-handler.js';
import { unknownAddress, type ClientAddress } from './client-address.js';
import { FetchRequest } from './fetch-request.js';
import { fetchResponse } from './fetch-response.js';

/** Options of `createAuthHandler`. */
export interface AuthHandlerOptions<Info = unknown> {
  /**
   * Returns the address of the client. Limits count by it, and the audit log has it: without an address all clients share the
   * limits of one, so that a single client could lock everybody out.
   */
  clientAddress: ClientAddress<Info>;
  /** The path at which the handler is mounted. Defaults to the path of `AUTH_BASE_URL`; another one is rejected. */
  basePath?: string;
  /** `authPages` of `@latchkey/pages` adds the pages and the development inbox `/dev/mail`. Defaults to none. */
  pages?: Pages;
  /** False omits `/metrics`. Defaults to true. */
  metrics?: boolean;
}

/** Responds to requests of the Fetch API. */
export interface AuthHandler<Info = unknown> {
  /**
   * Returns the response to a request. Paths that the service does not have get its 404.
   * @param info what `clientAddress` takes beside the request.
   * @throws TypeError when the body has already been read.
   */
  (request: Request, info?: Info): Promise<Response>;
  /** Reports whether the service has the path of a request, which must start with the path of `AUTH_BASE_URL`. */
  matches(request: Request): boolean;
}

const NAME = 'createAuthHandler';
const LINE = 'createAuthHandler(auth, { clientAddress: fromForwarded({ trustProxy: 1 }) })';

const aPath: OptionRule = {
  allowed: "a path like '/id', without a slash at its end",
  isAllowed: (value) => typeof value === 'string' && /^(\/[^/?#]+)*$/.test(value),
};

/**
 * Creates a handler with every route of the service for hosts that use `Request` and `Response`: Hono, Next.js, SvelteKit, Bun.
 * It runs where Node.js modules do: the core uses threads and sockets.
 * @throws TypeError when `auth` is not the result of `createAuth` or has been closed, without `clientAddress`, for unknown
 * options, for a `basePath` that is not the path of `AUTH_BASE_URL`, and for `unknownAddress` in production.
 * @example
 * ```ts
 * const handler = createAuthHandler(auth, { clientAddress: fromForwarded({ trustProxy: 1 }) });
 * const response = await handler(new Request('http://localhost:3097/auth/me'));
 * response.status; // → 401
 * ```
 */
export function createAuthHandler<Info = unknown>(
  auth: Auth,
  options: AuthHandlerOptions<Info>,
): AuthHandler<Info> {
  assertAuth(auth, LINE);
  assertOptions({ name: NAME, before: 'auth, ' }, options, {
    clientAddress: aFunction,
    basePath: aPath,
    pages: aFunction,
    metrics: trueOrFalse,
  });
  assertAddress(auth, options.clientAddress);
  const { clientAddress, pages, metrics = true } = options;
  const isProxied = auth.settings.http.trustProxy !== undefined;
  const mountPath = mountPathOf(auth, options.basePath);
  const endpoints = [...authEndpoints(auth, { metrics }), ...(pages?.(auth) ?? [])];
  const handle = serviceHandler(auth, endpoints, notFoundOf(auth, pages));
  const table = new EndpointTable(endpoints);
  const respond = async (request: Request, info: Info): Promise<Response> => {
    assertUnread(request);
    const url = urlOf(request);
    if (!url) return new Response(null, { status: 400 });
    const address = clientAddress(request, info) ?? undefined;
    const located = { path: pathBelow(mountPath, url), query: url.search.slice(1), mountPath, address };
    const received = new FetchRequest(request, { ...located, isProxied });
    const response = await handle(received);
    void received.discardBody();
    return fetchResponse(response, () => received.abort());
  };
  return Object.assign((request: Request, info?: Info) => respond(request, info as Info), {
    matches: (request: Request) => {
      const url = urlOf(request);
      // A path elsewhere belongs to the host: its own `/login` is not the page of the service.
      if (!url?.pathname.startsWith(`${mountPath}/`)) return false;
      return table.find(pathBelow(mountPath, url)) !== undefined;
    },
  });
}

/** @throws TypeError without a function, and in production for one that never knows an address. */
function assertAddress({ settings }: Auth, clientAddress: unknown): void {
  if (clientAddress === undefined) {
    throw new TypeError(`${NAME}: clientAddress is required; the limits count by it. Write: ${LINE}`);
  }
  if (clientAddress === unknownAddress && settings.environment === 'production') {
    throw new TypeError(
      `${NAME}: unknownAddress is for development: all clients would share one limit. Write: ${LINE}`,
    );
  }
}

/** @throws TypeError for a path other than that of the public address: links in mails would lead nowhere. */
function mountPathOf({ settings: { http } }: Auth, basePath: string | undefined): string {
  const path = new URL(http.baseUrl).pathname.replace(/\/$/, '');
  if (basePath === undefined || basePath === path) return path;
  throw new TypeError(
    `${NAME}: basePath is ${basePath}, but AUTH_BASE_URL is ${http.baseUrl}. ` +
      `Set AUTH_BASE_URL=${new URL(basePath || '/', http.baseUrl).href.replace(/\/$/, '')}`,
  );
}

/** @throws TypeError when the host, or a middleware, has read the body. */
function assertUnread(request: Request): void {
  if (!request.bodyUsed) return;
  throw new TypeError(
    'The body of the request has already been read. Call the handler before anything else reads it, or pass request.clone().',
  );
}

/** Returns the address of a request; undefined for one that is not absolute, or of another protocol. */
function urlOf({ url }: Request): URL | undefined {
  try {
    const parsed = new URL(url);
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the path below the mount path, which some hosts have already removed. */
const pathBelow = (mountPath: string, { pathname }: URL): string =>
  pathname.startsWith(`${mountPath}/`) ? pathname.slice(mountPath.length) : pathname;
