import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import express from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import {
  accessLog,
  answerHeaders,
  createAuthRouter,
  notFoundPage,
  sendError,
} from '@latchkey/express-adapter';
import { createAuthHandler, fromForwarded, fromNode } from '@latchkey/http';
import { authPages } from '@latchkey/pages';
import { nextListener } from './binding.next.js';

/** The ways in which an app can serve the routes, beside the standalone server. */
const BINDINGS = { express: expressListener, fetch: fetchListener, next: nextListener } as const;
export type Binding = keyof typeof BINDINGS;

/**
 * Returns the binding that the in-process services of the tests use in place of the standalone server, by `TEST_BINDING`.
 * @throws Error for an unknown one.
 */
export function bindingOfTests(): Binding | undefined {
  const name = process.env.TEST_BINDING;
  if (name === undefined || name === '') return undefined;
  if (name in BINDINGS) return name as Binding;
  throw new Error(`TEST_BINDING is ${name}; it must be one of ${Object.keys(BINDINGS).join(', ')}.`);
}

/**
 * True where the tests run on the standalone server. It alone has a start page, a reference at `/docs`, a log of all requests, and
 * responses of its own to requests that Node.js rejects before any app: on other bindings those belong to the host, and their tests
 * are skipped by `it.runIf(ON_THE_SERVER)`.
 */
export const ON_THE_SERVER = bindingOfTests() === undefined;

/** False with a `Request`, which joins the values of a repeated header: a repeated credential is a wrong one there. */
export const KEEPS_HEADERS_APART = ON_THE_SERVER || bindingOfTests() === 'express';

/**
 * True in an app of Next.js, which answers some requests itself or passes on less:
 * - the first value only of a repeated `Authorization`, and no method or path that it finds malformed or would write otherwise,
 * - a query in an encoding of its own, with U+FFFD in place of bytes that are no UTF-8,
 * - bodies that it reads itself first, however long they take,
 * - no `Content-Length` of a response, no `Transfer-Encoding` of one to HEAD, and more names in `Vary`,
 * - every request as forwarded, so pages for the own machine are 404.
 */
export const ON_NEXT = bindingOfTests() === 'next';

/** Serves the routes of `auth` in this way, at the address of its settings. */
export async function openBinding(binding: Binding, auth: Auth, port = 0): Promise<Server> {
  const server = createServer(BINDINGS[binding](auth));
  server.maxHeadersCount = 0;
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, auth.settings.http.host, resolve);
  });
  return server;
}

function expressListener(auth: Auth): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', auth.settings.http.trustProxy ?? false);
  app.use(accessLog((entry) => auth.logger.debug(entry, 'request')));
  app.use(createAuthRouter(auth), answerHeaders(auth), notFoundPage(auth));
  app.use((_request, response) => {
    sendError(response, AuthError.notFound('The endpoint', 'endpoint_not_found'), auth);
  });
  return app;
}

function fetchListener(auth: Auth): RequestListener {
  const { trustProxy } = auth.settings.http;
  const forwarded = trustProxy === undefined ? undefined : fromForwarded({ trustProxy });
  const handler = createAuthHandler<HttpBindings>(auth, {
    clientAddress: (request, { incoming }) => forwarded?.(request) ?? fromNode(request, incoming),
    pages: authPages,
  });
  const listener = getRequestListener((request, env) => handler(request, env as HttpBindings), {
    overrideGlobalObjects: false,
  });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}
