import type { IncomingMessage } from 'node:http';
import { AuthError, type VerifyingAuth } from '@latchkey/core';
import { assertVerifyingAuth } from '../assert-auth.js';
import { assertHolds, readRequirements, type AccessRequirements } from './access-requirements.js';
import { assertIsNotMiddlewareCall } from './assert-use.js';
import type { AuthContext } from './auth-context.js';
import { GuardFactory } from './guard-factory.js';
import { readGuardOptions, type GuardOptions } from './guard-options.js';
import type { Guard } from './guard.js';
import { readMaxAge } from './max-age.js';
import { readRoles, type PlatformRole } from './platform-roles.js';
import { rememberAccess } from './request-auth.js';

/**
 * Guards for routes of the host app. They combine in any order, and together they read the caller's session once a
 * request. Whom they sendDenial gets the answer a route of the service would give; whom they let in finds the app's answer
 * untouched.
 * @example
 * ```ts
 * import type { Express } from 'express';
 * function addInvoices(target: Express, { requireAuth, requireAccess }: Guards): void {
 *   target.get('/invoices', requireAuth, requireAccess({ module: 'billing' }), (_request, response) => {
 *     response.json([]);
 *   });
 * }
 * addInvoices(app, createGuards(auth));
 * ```
 */
export interface Guards {
  /** Lets in whoever is signed in. 401 for all others, or the 403 of an account that may not sign in. */
  readonly requireAuth: Guard;
  /** Lets in everybody, and knows who is signed in. A bad token is refused; a cookie that is no longer good is nobody. */
  readonly optionalAuth: Guard;
  /**
   * Lets in staff of the platform with any of these roles; 403 for all others.
   * @throws TypeError without a role, and for an unknown one.
   */
  readonly requireRole: (...roles: readonly PlatformRole[]) => Guard;
  /**
   * Lets in who holds all of this in the company that `x-org` names; 403 for all others, 400 without a proper `x-org`.
   * @throws TypeError for needs that are missing, unknown or malformed, and when nothing says what companies are
   * entitled to.
   */
  readonly requireAccess: (needs: AccessRequirements) => Guard;
  /**
   * Lets in who signed in at most so long ago: `5m`, or seconds. All others get 401 `reauthentication_required`
   * (RFC 9470).
   * @throws TypeError for what is no duration.
   */
  readonly requireFresh: (maxAge: string | number) => Guard;
  /**
   * What `requireAuth` does, for code of your own: a WebSocket, a subscription. Asked again about the same request it
   * gives the same answer.
   * @throws AuthError with the code that `requireAuth` would answer with.
   */
  readonly authenticate: (request: IncomingMessage) => Promise<AuthContext>;
}

/**
 * Makes the guards of an app.
 * @throws TypeError when `auth` is not what `createAuth` gave, or has been closed, and for wrong options.
 * @example
 * ```ts
 * const { requireAuth } = createGuards(auth, { check: 'hint' });
 * app.get('/me', requireAuth, (request, response) => void response.json({ id: getAuth(request).userId }));
 * createGuards({} as Auth); // →! TypeError
 * ```
 */
export function createGuards(auth: VerifyingAuth, options: GuardOptions = {}): Guards {
  assertVerifyingAuth(auth, 'createGuards(await createAuth(settings))');
  const factory = new GuardFactory(auth, readGuardOptions(auth, options));
  return {
    requireAuth: factory.guard({ name: 'requireAuth' }),
    optionalAuth: factory.optionalGuard('optionalAuth'),
    requireRole: (...roles) => roleGuard(factory, roles),
    requireAccess: (needs, ...rest: unknown[]) => accessGuard(factory, auth, needs, rest),
    requireFresh: (maxAge, ...rest: unknown[]) => freshnessGuard(factory, auth, maxAge, rest),
    authenticate: (request) => factory.authenticate(request),
  };
}

function roleGuard(factory: GuardFactory, roles: readonly PlatformRole[]): Guard {
  assertIsNotMiddlewareCall('requireRole', roles[0], roles.at(-1));
  const allowed = readRoles(roles);
  return factory.guard({
    name: 'requireRole(…)',
    permit: ({ globalRole }) => {
      if (!allowed.has(globalRole)) throw AuthError.forbidden();
    },
  });
}

function accessGuard(
  factory: GuardFactory,
  auth: VerifyingAuth,
  given: AccessRequirements,
  rest: readonly unknown[],
): Guard {
  assertIsNotMiddlewareCall('requireAccess', given, rest.at(-1));
  const needs = readRequirements(given);
  assertEntitlements(auth);
  factory.expectAccess();
  return factory.guard({
    name: 'requireAccess(…)',
    permit: async (_who, identity, request) => {
      const access = await identity.access();
      assertHolds(access, needs);
      rememberAccess(request, access);
    },
  });
}

/** Otherwise every request would be answered by 503, and nobody would know why. */
function assertEntitlements({ facts }: VerifyingAuth): void {
  if (facts.entitlements !== 'none') return;
  throw new TypeError(
    'requireAccess: nothing says what companies are entitled to. ' +
      'Write: createAuth(settings, { entitlements: (companyId) => … }), or set CORE_BASE_URL',
  );
}

function freshnessGuard(
  factory: GuardFactory,
  auth: VerifyingAuth,
  maxAge: string | number,
  rest: readonly unknown[],
): Guard {
  assertIsNotMiddlewareCall('requireFresh', maxAge, rest.at(-1));
  const maxAgeSeconds = readMaxAge(maxAge);
  return factory.guard({
    name: 'requireFresh(…)',
    maxAgeSeconds,
    permit: (who) => auth.authenticator.assertFresh(who, maxAgeSeconds),
  });
}
