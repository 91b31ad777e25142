import type { IncomingMessage } from 'node:http';
import type { VerifiedCaller } from '../tokens/verified-caller.js';

/** Kept in a map, not on the request, so that types of Express are unchanged and names cannot clash. */
const callers = new WeakMap<IncomingMessage, VerifiedCaller>();

export function rememberCaller(request: IncomingMessage, caller: VerifiedCaller): void {
  callers.set(request, caller);
}

/**
 * Returns the caller that a guard has accepted.
 * @throws TypeError when no guard has accepted the request, so that a route that lost its guard fails.
 * @example
 * ```ts
 * const addReports = (verifier: Verifier): void => {
 *   app.get('/reports', requireAuth(verifier), (request, response) => {
 *     response.json({ readBy: getCaller(request).userId });
 *   });
 * };
 * ```
 */
export function getCaller(request: IncomingMessage): VerifiedCaller {
  const caller = callers.get(request);
  if (caller) return caller;
  throw new TypeError(
    'getCaller: no guard has authenticated this request. Put requireAuth(verifier) before the handler, or use ' +
      'findCaller after optionalAuth(verifier).',
  );
}

/**
 * Returns the caller that a guard has accepted, or undefined if there is none.
 * @example
 * ```ts
 * const addHome = (verifier: Verifier): void => {
 *   app.get('/', optionalAuth(verifier), (request, response) => {
 *     response.send(`Hello, ${findCaller(request)?.userId ?? 'stranger'}`);
 *   });
 * };
 * ```
 */
export const findCaller = (request: IncomingMessage): VerifiedCaller | undefined => callers.get(request);
