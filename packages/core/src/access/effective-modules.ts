import { isCompanyAdministrator } from '../memberships/company-authority.js';
import type { CompanyMembership, ModuleRule } from '../memberships/membership.js';
import type { AccessPolicyMode, Entitlements } from './entitlements.js';

/** The facts about a user that decide which modules of a company are effective. */
export type ModuleClaim = PlatformClaim | MemberClaim;

/** An administrator of the platform without a membership of the company. */
interface PlatformClaim {
  kind: 'platform';
}

interface MemberClaim {
  kind: 'member';
  isAdministrator: boolean;
  /** Modules of the role, which are granted in every mode; undefined for a role without a definition. */
  ofRole: ReadonlySet<string> | undefined;
  /** The grant list, which decides under LEGACY and SHADOW. */
  grants: ReadonlySet<string>;
  /** Granted by rules of the member and of their teams, which decide under ENFORCED. */
  granted: ReadonlySet<string>;
  denied: ReadonlySet<string>;
}

/** The reasons that a module is effective or not. */
export const MODULE_REASONS = [
  'not_entitled',
  'platform_role',
  'company_role',
  'no_restriction',
  'granted',
  'not_granted',
  'denied',
] as const;
/** The reason that a module is effective or not, as an explained access and the command line name it. */
export type ModuleReason = (typeof MODULE_REASONS)[number];

interface ModuleVerdict {
  moduleKey: string;
  isEffective: boolean;
  reason: ModuleReason;
  /** Present if the role alone grants the module. */
  source?: 'ROLE';
}

const EFFECTIVE = new Set<ModuleReason>(['platform_role', 'company_role', 'no_restriction', 'granted']);

export function claimOfMember(
  membership: Pick<CompanyMembership, 'role' | 'isActive' | 'moduleGrants' | 'definedRole'>,
  rules: readonly Pick<ModuleRule, 'moduleKey' | 'effect'>[],
): MemberClaim {
  const keysWith = (wanted: ModuleRule['effect']) =>
    new Set(rules.filter(({ effect }) => effect === wanted).map(({ moduleKey }) => moduleKey));
  return {
    kind: 'member',
    isAdministrator: isCompanyAdministrator(membership),
    ofRole: membership.definedRole && new Set(membership.definedRole.modules),
    grants: new Set(membership.moduleGrants),
    granted: keysWith('GRANT'),
    denied: keysWith('DENY'),
  };
}

/** Decides on one module. A module that the company is not entitled to is not effective, whatever was granted. */
export function judgeModule(
  moduleKey: string,
  claim: ModuleClaim,
  { modules, accessPolicyMode }: Pick<Entitlements, 'modules' | 'accessPolicyMode'>,
): ModuleVerdict {
  const reason = modules.has(moduleKey) ? moduleReasonOf(moduleKey, claim, accessPolicyMode) : 'not_entitled';
  const isOfRole = reason === 'granted' && isGrantedByRoleAlone(moduleKey, claim, accessPolicyMode);
  return {
    moduleKey,
    isEffective: EFFECTIVE.has(reason),
    reason,
    ...(isOfRole && { source: 'ROLE' as const }),
  };
}

function isGrantedByRoleAlone(moduleKey: string, claim: ModuleClaim, mode: AccessPolicyMode): boolean {
  if (claim.kind === 'platform') return false;
  return !(mode === 'ENFORCED' ? claim.granted : claim.grants).has(moduleKey);
}

function moduleReasonOf(moduleKey: string, claim: ModuleClaim, mode: AccessPolicyMode): ModuleReason {
  if (claim.kind === 'platform') return 'platform_role';
  return mode === 'ENFORCED' ? underRules(moduleKey, claim) : underGrants(moduleKey, claim);
}

/**
 * Decides under ENFORCED: grants, also those of the role, minus denies; administrators of the company hold every module, despite
 * denies.
 */
function underRules(
  moduleKey: string,
  { isAdministrator, ofRole, granted, denied }: MemberClaim,
): ModuleReason {
  if (isAdministrator) return 'company_role';
  if (denied.has(moduleKey)) return 'denied';
  return granted.has(moduleKey) || ofRole?.has(moduleKey) ? 'granted' : 'not_granted';
}

/**
 * Decides under LEGACY and SHADOW: the grant list and the role, which bind administrators too; an empty list restricts no member
 * whose role has no definition.
 */
function underGrants(moduleKey: string, { ofRole, grants }: MemberClaim): ModuleReason {
  if (grants.size === 0 && !ofRole) return 'no_restriction';
  return grants.has(moduleKey) || ofRole?.has(moduleKey) ? 'granted' : 'not_granted';
}

/** Returns the effective modules, sorted. */
export function effectiveModules(claim: ModuleClaim, entitlements: Entitlements): string[] {
  return [...entitlements.modules]
    .filter((moduleKey) => judgeModule(moduleKey, claim, entitlements).isEffective)
    .toSorted();
}

/**
 * Returns every module that the company is entitled to or that the claim names, with the reason, sorted by
 * key.
 */
export function explainModules(claim: ModuleClaim, entitlements: Entitlements): ModuleVerdict[] {
  const named =
    claim.kind === 'member' ? [claim.ofRole ?? [], claim.grants, claim.granted, claim.denied] : [];
  const moduleKeys = new Set([entitlements.modules, ...named].flatMap((keys) => [...keys]));
  return [...moduleKeys].toSorted().map((moduleKey) => judgeModule(moduleKey, claim, entitlements));
}
