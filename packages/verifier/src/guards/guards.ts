import { forbidden, notWithApiKey } from '../errors.js';
import type { Verifier } from '../verifier.js';
import { exampleOf } from './assert-use.js';
import { guardOf, optionalGuardOf } from './guard-of.js';
import { readRoles, type StaffRole } from './platform-roles.js';
import { assertFactors, assertFresh, readFactors } from './sign-in.js';
import type { VerifierGuard } from './verifier-guard.js';

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns the seconds of an age such as `5m` or `300`. @throws TypeError for an invalid or missing duration. */
function readMaxAge(maxAge: unknown): number {
  const isGiven = typeof maxAge === 'string' || typeof maxAge === 'number';
  const match = isGiven ? /^(\d{1,9})([smhd])?$/.exec(String(maxAge).trim()) : null;
  const seconds = match ? Number(match[1]) * (UNIT_SECONDS[match[2] ?? 's'] ?? 1) : 0;
  if (seconds > 0) return seconds;
  throw new TypeError(
    `requireFresh: the age must be a duration like 90, '90s', '5m' or '1h'. Write: ${exampleOf('requireFresh')}`,
  );
}

/**
 * Returns a middleware that requires a signed-in caller: 401 otherwise, 503 while tokens cannot be checked.
 * @throws TypeError without a verifier.
 * @example
 * ```ts
 * const addReports = (verifier: Verifier): void => {
 *   app.get('/reports', requireAuth(verifier), (_request, response) => void response.json([]));
 * };
 * ```
 */
export function requireAuth(verifier: Verifier): VerifierGuard {
  assertVerifier('requireAuth', verifier);
  return guardOf(verifier);
}

/**
 * Returns a middleware that authenticates the caller if a token is present. An invalid token is rejected.
 * @throws TypeError without a verifier.
 * @example
 * ```ts
 * const addHome = (verifier: Verifier): void => {
 *   app.get('/', optionalAuth(verifier), (request, response) => void response.json(findCaller(request)));
 * };
 * ```
 */
export function optionalAuth(verifier: Verifier): VerifierGuard {
  assertVerifier('optionalAuth', verifier);
  return optionalGuardOf(verifier);
}

/**
 * Returns a middleware that requires one of these platform roles: 403 otherwise. The role is that of the token; a role
 * that is withdrawn outdates the tokens of its user.
 * @throws TypeError without a verifier or a role, and for an unknown role.
 * @example
 * ```ts
 * const addExport = (verifier: Verifier): void => {
 *   app.get('/export', requireRole(verifier, 'PLATFORM_ADMIN'), (_request, response) => void response.json([]));
 * };
 * ```
 */
export function requireRole(verifier: Verifier, ...roles: readonly StaffRole[]): VerifierGuard {
  assertVerifier('requireRole', verifier);
  const allowed = readRoles(roles);
  return guardOf(verifier, ({ globalRole, kind }) => {
    if (kind === 'api-key') throw notWithApiKey();
    if (!allowed.has(globalRole)) throw forbidden();
  });
}

/**
 * Returns a middleware that requires a sign-in that is not older than this: `5m`, or seconds. 401
 * `reauthentication_required` with `max_age` otherwise (RFC 9470).
 * @throws TypeError without a verifier and for an invalid duration.
 * @example
 * ```ts
 * const addPayouts = (verifier: Verifier): void => {
 *   app.post('/payouts', requireFresh(verifier, '5m'), (_request, response) => void response.json([]));
 * };
 * ```
 */
export function requireFresh(verifier: Verifier, maxAge: string | number): VerifierGuard {
  assertVerifier('requireFresh', verifier);
  const maxAgeSeconds = readMaxAge(maxAge);
  return guardOf(verifier, (caller) => assertFresh(caller, maxAgeSeconds, verifier.clock));
}

/**
 * Returns a middleware that requires a sign-in with so many factors. 401 `reauthentication_required` with `acr_values`
 * otherwise (RFC 9470).
 * @throws TypeError without a verifier and for anything but 1 or 2.
 * @example
 * ```ts
 * const addKeys = (verifier: Verifier): void => {
 *   app.post('/keys', requireFactors(verifier, 2), (_request, response) => void response.json([]));
 * };
 * ```
 */
export function requireFactors(verifier: Verifier, factors: 1 | 2): VerifierGuard {
  assertVerifier('requireFactors', verifier);
  const required = readFactors(factors);
  return guardOf(verifier, (caller) => assertFactors(caller, required));
}

/** @throws TypeError unless a guard is created with a verifier: without the call, or with a promise of one. */
function assertVerifier(name: string, verifier: unknown): asserts verifier is Verifier {
  if (typeof (verifier as Partial<Verifier> | undefined)?.authenticateToken === 'function') return;
  const advice = verifier instanceof Promise ? 'Await createVerifier first' : 'Pass the verifier';
  throw new TypeError(`${name} returns a middleware. ${advice}: ${exampleOf(name)}`);
}
