import type { AccessView } from '@latchkey/core';
import type { HttpRequest } from '../exchange/http-request.js';
import { RequestMemory } from '../exchange/request-memory.js';
import type { AuthContext } from './auth-context.js';

/** The access of a request, with the company of `x-org`. */
type RequestAccess = AccessView & { readonly companyId: string };

/** Results of guards. */
const requestAuths = new RequestMemory<{ auth?: AuthContext; access?: RequestAccess }>();

export function rememberAuth({ source }: HttpRequest, auth: AuthContext): void {
  requestAuths.add(source, { auth });
}

export function rememberAccess({ source }: HttpRequest, access: AccessView): void {
  requestAuths.add(source, { access: { companyId: access.metadata.companyId, ...access } });
}

/**
 * Returns the authenticated caller. With guards of several services on one route, the caller of the last guard.
 * @throws TypeError when no guard has authenticated the request.
 * @example
 * ```ts
 * const DELETE = createGuards(auth).withAuth({ fresh: '5m' }, (request) =>
 *   Response.json({ deleted: getAuth(request).userId }),
 * );
 * (await DELETE(new Request('http://localhost/account'))).status; // → 401
 * ```
 */
export function getAuth(request: object): AuthContext {
  const auth = findAuth(request);
  if (auth) return auth;
  throw new TypeError(
    'getAuth: no guard has authenticated this request. Put requireAuth before the handler, or use findAuth after optionalAuth.',
  );
}

/**
 * Returns the authenticated caller, or undefined if there is none.
 * @example
 * ```ts
 * const request = new Request('http://localhost/');
 * await createGuards(auth).checkIfAny(request);
 * `Hello, ${findAuth(request)?.user?.fullName ?? 'stranger'}`; // → 'Hello, stranger'
 * ```
 */
export const findAuth = (request: object): AuthContext | undefined => requestAuths.of(request)?.auth;

/**
 * Returns the access of the caller in the company of `x-org`.
 * @throws TypeError when no `requireAccess` has allowed the request.
 * @example
 * ```ts
 * const GET = createGuards(auth).withAuth({ permission: 'invoices:read' }, (request) =>
 *   Response.json({ company: getAccess(request).companyId }),
 * );
 * (await GET(new Request('http://localhost/invoices'))).status; // → 401
 * ```
 */
export function getAccess(request: object): RequestAccess {
  const access = requestAuths.of(request)?.access;
  if (access) return access;
  throw new TypeError('getAccess: no access was resolved. Put requireAccess({ … }) before the handler.');
}
