import type { VerifyingAuth } from '@latchkey/core';
import { assertOptions, trueOrFalse, type OptionRule } from '@latchkey/core/settings';
import type { AccessRequirements } from './access-requirements.js';
import type { CallerChecks, Permit } from './caller-checks.js';
import { ofPlatformRoles, withAccess, withFactors, withFreshSignIn } from './permits.js';
import type { PlatformRole } from './platform-roles.js';

/** Requirements for a caller; all that are given must hold. */
export interface CallerRequirements {
  /** One of these platform roles. */
  platformRole?: PlatformRole | readonly PlatformRole[];
  /** The key of a module of the company of `x-org`. */
  module?: string;
  /** The key of a permission in the company of `x-org`. */
  permission?: string;
  /** The role of the membership in the company of `x-org`, or several of which one is enough. */
  role?: string | readonly string[];
  /** Maximum age of the sign-in: `5m`, or seconds. */
  fresh?: string | number;
  /** The number of factors of the sign-in, by its level (`acr`). */
  factors?: 1 | 2;
  /** True if an API key is accepted. Defaults to the option of the guards. */
  apiKeys?: boolean;
}

/** The values are checked by what they require. */
const anything: OptionRule = { allowed: 'anything', isAllowed: () => true };

const RULES: Record<keyof CallerRequirements, OptionRule> = {
  platformRole: anything,
  module: anything,
  permission: anything,
  role: anything,
  fresh: anything,
  factors: anything,
  apiKeys: trueOrFalse,
};

/** Returns what decides about all requirements. @throws TypeError for requirements that are unknown or malformed. */
export function permitOf(
  auth: VerifyingAuth,
  checks: CallerChecks,
  requirements: CallerRequirements,
): Permit {
  assertOptions({ name: 'guards.check', before: 'request, ' }, requirements, RULES);
  const { platformRole, fresh, factors, apiKeys: _apiKeys, ...access } = requirements;
  const permits = [
    ...(platformRole === undefined ? [] : [ofPlatformRoles(auth, [platformRole].flat())]),
    ...(Object.keys(access).length === 0 ? [] : [withAccess(auth, checks, access as AccessRequirements)]),
    ...(fresh === undefined ? [] : [withFreshSignIn(auth, fresh)]),
    ...(factors === undefined ? [] : [withFactors(auth, factors)]),
  ];
  return async (...decision) => {
    for (const permit of permits) await permit(...decision);
  };
}
