import { guardLine } from '@latchkey/http/internal';

/** @throws TypeError when a guard is called directly: `app.get(path, requireAuth(), handler)`. */
export function assertIsMiddlewareCall(name: string, request: unknown, next: unknown): void {
  if (typeof request === 'object' && request !== null && typeof next === 'function') {
    assertIsNodeRequest(name, request);
    return;
  }
  throw new TypeError(`${name} is a middleware that Express calls. Write: ${guardLine(name)}`);
}

/** @throws TypeError for a Request of the Fetch API, whose headers are no plain object. */
export function assertIsNodeRequest(name: string, request: unknown): void {
  const headers = (request as { headers?: { get?: unknown } | null } | null | undefined)?.headers;
  if (headers && typeof headers.get !== 'function') return;
  throw new TypeError(
    `${name} takes a request of Node.js (http.IncomingMessage), not one of the Fetch API. ` +
      'Pass the request of the server, or call auth.authenticator.authenticate with the Bearer token.',
  );
}

/** @throws TypeError when a function that returns a guard is used as a guard: `app.get(path, requireRole, handler)`. */
export function assertIsNotMiddlewareCall(name: string, given: unknown, next: unknown): void {
  const isRequest = typeof given === 'object' && given !== null && 'headers' in given;
  if (!isRequest && typeof next !== 'function') return;
  throw new TypeError(`${name} returns a middleware. Call it: ${guardLine(name)}`);
}
