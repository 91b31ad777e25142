import type { IncomingMessage } from 'node:http';
import type { VerifyingAuth } from '@latchkey/core';
import {
  assertVerifyingAuth,
  CallerChecks,
  guardLine,
  ofPlatformRoles,
  permitOf,
  readGuardOptions,
  withAccess,
  withDeadline,
  withFactors,
  withFreshSignIn,
  type AccessRequirements,
  type AuthContext,
  type CallerRequirements,
  type GuardOptions,
  type HttpRequest,
  type Permit,
  type PlatformRole,
} from '@latchkey/http/internal';
import { detachedRequest, expressRequest } from './express-request.js';
import type { Guard } from './guard.js';
import { sendDenial } from './send-denial.js';

/**
 * Guards for routes of the host app. They combine in any order and together read the caller's session once per request.
 * A denied request gets the response that a route of the service would give; the response to an allowed request is left
 * to the app.
 */
export interface Guards {
  /** Requires a signed-in caller. 401 otherwise, or the 403 of an account that may not sign in. */
  readonly requireAuth: Guard;
  /** Authenticates the caller if credentials are present. Rejects an invalid token; ignores a cookie that is no longer valid. */
  readonly optionalAuth: Guard;
  /**
   * Requires one of these platform roles. 403 otherwise.
   * @throws TypeError without a role and for an unknown role.
   */
  readonly requireRole: (...roles: readonly PlatformRole[]) => Guard;
  /**
   * Requires all of this in the company of the `x-org` header. 403 otherwise, 400 without a valid `x-org`.
   * @throws TypeError for requirements that are missing, unknown or malformed, and when no source of entitlements is
   * configured.
   */
  readonly requireAccess: (requirements: AccessRequirements) => Guard;
  /**
   * Requires a sign-in that is not older than this: `5m`, or seconds. 401 `reauthentication_required` otherwise
   * (RFC 9470).
   * @throws TypeError for an invalid duration.
   */
  readonly requireFresh: (maxAge: string | number) => Guard;
  /**
   * Requires a sign-in with so many factors, by its level (`acr`). 401 `reauthentication_required` otherwise (RFC 9470).
   * @throws TypeError for anything but 1 or 2.
   */
  readonly requireFactors: (factors: 1 | 2) => Guard;
  /**
   * Authenticates a request like `requireAuth`, for code outside a route: a WebSocket, a subscription. Repeated calls for
   * the same request return the same result.
   * @throws AuthError with the code that `requireAuth` would respond with.
   */
  readonly authenticate: (request: IncomingMessage) => Promise<AuthContext>;
  /**
   * Does the same with requirements, which all must hold.
   * @throws AuthError with the code that a guard would respond with.
   * @throws TypeError for requirements that are unknown or malformed.
   */
  readonly check: (request: IncomingMessage, requirements: CallerRequirements) => Promise<AuthContext>;
}

/**
 * Creates the guards of an app.
 * @throws TypeError when `auth` is not the result of `createAuth` or has been closed, and for invalid options.
 * @example
 * ```ts
 * const { requireAuth } = createGuards(auth, { check: 'hint' });
 * app.get('/me', requireAuth, (request, response) => void response.json({ id: getAuth(request).userId }));
 * createGuards({} as Auth); // →! TypeError
 * ```
 */
export function createGuards(auth: VerifyingAuth, options: GuardOptions = {}): Guards {
  assertVerifyingAuth(auth, 'createGuards(await createAuth(settings))');
  const checks = new CallerChecks(auth, readGuardOptions(auth, options));
  const guard = (name: string, permit?: Permit, takesKeys?: boolean): Guard =>
    guardOf(auth, name, (request, path) => checks.decide(request, path, permit, takesKeys));
  return {
    requireAuth: guard('requireAuth'),
    optionalAuth: guardOf(auth, 'optionalAuth', (request) => checks.authenticateIfAny(request)),
    requireRole: (...roles) => {
      assertIsNotMiddlewareCall('requireRole', roles[0], roles.at(-1));
      return guard('requireRole(…)', ofPlatformRoles(auth, roles));
    },
    requireAccess: (requirements, ...rest: unknown[]) => {
      assertIsNotMiddlewareCall('requireAccess', requirements, rest.at(-1));
      return guard('requireAccess(…)', withAccess(auth, checks, requirements), requirements.apiKeys);
    },
    requireFresh: (maxAge, ...rest: unknown[]) => {
      assertIsNotMiddlewareCall('requireFresh', maxAge, rest.at(-1));
      return guard('requireFresh(…)', withFreshSignIn(auth, maxAge));
    },
    requireFactors: (factors, ...rest: unknown[]) => {
      assertIsNotMiddlewareCall('requireFactors', factors, rest.at(-1));
      return guard('requireFactors(…)', withFactors(auth, factors));
    },
    authenticate: async (request) => {
      assertIsNodeRequest('guards.authenticate', request);
      return checks.authenticate(detachedRequest(request));
    },
    check: async (request, requirements) => {
      assertIsNodeRequest('guards.check', request);
      const permit = permitOf(auth, checks, requirements);
      return checks.decide(detachedRequest(request), patternOf(request), permit, requirements.apiKeys);
    },
  };
}

/**
 * Creates a middleware from a check.
 * @param name for messages: `requireAuth`.
 * @param check takes the request and the pattern of its route. It throws an AuthError when the caller is not allowed.
 */
const guardOf =
  (
    auth: VerifyingAuth,
    name: string,
    check: (request: HttpRequest, path: string) => Promise<unknown>,
  ): Guard =>
  (request, response, next) => {
    assertIsMiddlewareCall(name, request, next);
    // If the deadline has passed, a later success is ignored: the request has already been rejected.
    return withDeadline(check(expressRequest(request, response), patternOf(request))).then(
      () => next(),
      (error: unknown) => sendDenial(request, response, { error, auth }),
    );
  };

/** The properties that Express adds to a request; other frameworks have none of them. */
type Routed = IncomingMessage & {
  baseUrl?: string;
  route?: { path?: string | RegExp | readonly (string | RegExp)[] };
};

/** Returns `/invoices/:id`; for a guard in front of a whole router, which runs before its routes, the prefix: `/invoices/*`. */
function patternOf({ baseUrl = '', route }: Routed): string {
  const path = [route?.path ?? '/*'].flat().join(' or ');
  return baseUrl + path;
}

/** @throws TypeError when a guard is called directly: `app.get(path, requireAuth(), handler)`. */
function assertIsMiddlewareCall(name: string, request: unknown, next: unknown): void {
  if (typeof request === 'object' && request !== null && typeof next === 'function') {
    assertIsNodeRequest(name, request);
    return;
  }
  throw new TypeError(`${name} is a middleware that Express calls. Write: ${guardLine(name)}`);
}

/** @throws TypeError for a Request of the Fetch API, whose headers are no plain object. */
function assertIsNodeRequest(name: string, request: unknown): void {
  const headers = (request as { headers?: { get?: unknown } | null } | null | undefined)?.headers;
  if (headers && typeof headers.get !== 'function') return;
  throw new TypeError(
    `${name} takes a request of Node.js (http.IncomingMessage), not one of the Fetch API. ` +
      'Pass the request of the server, or call auth.authenticator.authenticate with the Bearer token.',
  );
}

/** @throws TypeError when a function that returns a guard is used as a guard: `app.get(path, requireRole, handler)`. */
function assertIsNotMiddlewareCall(name: string, given: unknown, next: unknown): void {
  const isRequest = typeof given === 'object' && given !== null && 'headers' in given;
  if (!isRequest && typeof next !== 'function') return;
  throw new TypeError(`${name} returns a middleware. Call it: ${guardLine(name)}`);
}
