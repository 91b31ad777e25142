import { AuthError, GLOBAL_ROLES, type GlobalRole, type VerifyingAuth } from '@latchkey/core';
import { notWithApiKey } from '../callers/api-key.js';
import { assertHolds, readRequirements, type AccessRequirements } from './access-requirements.js';
import type { CallerChecks, Permit } from './caller-checks.js';
import { guardLine } from './guard-line.js';
import { readMaxAge } from './max-age.js';
import type { PlatformRole } from './platform-roles.js';
import { rememberAccess } from './request-auth.js';

const isPlatformRole = (name: unknown): name is PlatformRole =>
  name !== 'NONE' && (GLOBAL_ROLES as readonly unknown[]).includes(name);

/** Validates roles. @throws TypeError without a role and for an unknown role. */
function readRoles(roles: readonly unknown[]): ReadonlySet<GlobalRole> {
  if (roles.length === 0) {
    throw new TypeError(`requireRole: pass at least one platform role. Write: ${guardLine('requireRole')}`);
  }
  return new Set(roles.map(readRole));
}

function readRole(name: unknown): PlatformRole {
  if (isPlatformRole(name)) return name;
  const known = GLOBAL_ROLES.filter(isPlatformRole).join(', ');
  throw new TypeError(
    `requireRole: ${JSON.stringify(name)} is not a platform role. Platform roles are ${known}.`,
  );
}

/** Allows these platform roles. @throws TypeError without a role and for an unknown role. */
export function ofPlatformRoles(auth: VerifyingAuth, roles: readonly PlatformRole[]): Permit {
  const allowed = readRoles(roles);
  return (caller) => {
    if (caller.kind === 'api-key') throw notWithApiKey();
    if (!allowed.has(caller.globalRole)) throw AuthError.forbidden();
    auth.authenticator.assertStaffLevel(caller);
  };
}

/**
 * Allows callers who have all of this in the company of `x-org`.
 * @throws TypeError for invalid requirements, and when no source of entitlements is configured.
 */
export function withAccess(auth: VerifyingAuth, checks: CallerChecks, given: AccessRequirements): Permit {
  const requirements = readRequirements(given);
  assertEntitlements(auth);
  checks.expectAccess();
  return async (caller, identity, request) => {
    auth.authenticator.assertStaffLevel(caller);
    const access = await identity.access();
    assertHolds(access, requirements);
    rememberAccess(request, access);
  };
}

/** Allows sign-ins that are not older than this. @throws TypeError for an invalid duration. */
export function withFreshSignIn({ authenticator }: VerifyingAuth, maxAge: string | number): Permit {
  const seconds = readMaxAge(maxAge);
  return (caller) => {
    if (caller.kind === 'api-key') throw notWithApiKey();
    authenticator.assertFresh(caller, seconds);
  };
}

/** Allows sign-ins with so many factors. @throws TypeError for anything but 1 or 2. */
export function withFactors({ authenticator }: VerifyingAuth, factors: 1 | 2): Permit {
  const required = readFactors(factors);
  return (caller) => {
    if (caller.kind === 'api-key') throw notWithApiKey();
    authenticator.assertFactors(caller, required);
  };
}

/** @throws TypeError without a source of entitlements: every request would get 503, without an explanation. */
function assertEntitlements({ facts }: VerifyingAuth): void {
  if (facts.entitlements !== 'none') return;
  throw new TypeError(
    'requireAccess: no source of entitlements is configured. ' +
      'Write: createAuth(settings, { entitlements: (companyId) => … }), or set CORE_BASE_URL',
  );
}

/** @throws TypeError for a number of factors that no sign-in can be required to have. */
function readFactors(factors: unknown): 1 | 2 {
  if (factors === 1 || factors === 2) return factors;
  throw new TypeError(
    `requireFactors: the number of factors must be 1 or 2. Write: ${guardLine('requireFactors')}`,
  );
}
