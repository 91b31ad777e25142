import type { IncomingMessage } from 'node:http';
import type { AccessView } from '@latchkey/core';
import type { AuthContext } from './auth-context.js';

interface RequestAuth {
  who?: AuthContext;
  access?: AccessView;
}

/** What guards found out, kept beside the request and not on it: no types of Express are touched, no names can clash. */
const requestAuths = new WeakMap<IncomingMessage, RequestAuth>();

export function rememberAuth(request: IncomingMessage, who: AuthContext): void {
  requestAuths.set(request, { ...requestAuths.get(request), who });
}

export function rememberAccess(request: IncomingMessage, access: AccessView): void {
  requestAuths.set(request, { ...requestAuths.get(request), access });
}

/**
 * Who is calling. With guards of several services on one route: whom the last of them let in.
 * @throws TypeError when no guard has let anybody in.
 * @example
 * ```ts
 * const { requireFresh } = createGuards(auth);
 * app.delete('/account', requireFresh('5m'), (request, response) => {
 *   response.json({ deleted: getAuth(request).userId });
 * });
 * ```
 */
export function getAuth(request: IncomingMessage): AuthContext {
  const who = findAuth(request);
  if (who) return who;
  throw new TypeError(
    'getAuth: no guard has let anybody in. Put requireAuth before the handler, or use findAuth after optionalAuth.',
  );
}

/**
 * The same; undefined when nobody is known.
 * @example
 * ```ts
 * const { optionalAuth } = createGuards(auth);
 * app.get('/', optionalAuth, (request, response) => {
 *   response.send(`Hello, ${findAuth(request)?.user?.fullName ?? 'stranger'}`);
 * });
 * ```
 */
export const findAuth = (request: IncomingMessage): AuthContext | undefined => requestAuths.get(request)?.who;

/**
 * What the caller may do in the company of `x-org`.
 * @throws TypeError when no `requireAccess` has let the request in.
 * @example
 * ```ts
 * const { requireAccess } = createGuards(auth);
 * app.get('/invoices', requireAccess({ permission: 'invoices:read' }), (request, response) => {
 *   response.json({ company: getAccess(request).metadata.companyId });
 * });
 * ```
 */
export function getAccess(request: IncomingMessage): AccessView {
  const access = requestAuths.get(request)?.access;
  if (access) return access;
  throw new TypeError('getAccess: no access was resolved. Put requireAccess({ … }) before the handler.');
}
