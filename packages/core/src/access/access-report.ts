import type { CompanyMembership, ModuleRule } from '../memberships/membership.js';
import { accessOf, explanationOf, type Resolution } from './access-resolution.js';
import type { ExplainedAccessView, ModuleExplanation } from './access-schema.js';
import { effectiveDelegation, effectivePermissions } from './effective-permissions.js';

/** The access of a user with all facts that it is based on, for operators who need the reasons. */
export interface AccessReport {
  /** The access as machines get it. */
  access: ExplainedAccessView;
  /** Number of modules in the grant list: an empty one restricts no member under LEGACY and SHADOW. */
  grantCount: number;
  modules: ModuleCase[];
  permissions: KeyCase[];
  delegation: DelegationCase[];
}

/** The reason that a module is effective or not, with the facts about it. */
export interface ModuleCase extends ModuleExplanation {
  isEntitled: boolean;
  /** True if the grant list names it. */
  isGranted: boolean;
  /** True if the definition of the role names it. */
  isOfRole: boolean;
  /** All rules about it, including those that have no effect under the mode. */
  rules: ModuleRule[];
}

type KeyReason =
  | 'company_role'
  | 'granted'
  | 'granted_by_role'
  | 'not_granted'
  | 'not_entitled'
  | 'no_membership';

/** The reason that a permission is effective or not. */
export interface KeyCase {
  key: string;
  isEffective: boolean;
  reason: KeyReason;
}

/** A right that may be delegated: a flag, or a key of a module or permission. */
interface DelegationCase extends KeyCase {
  kind: 'flag' | 'module' | 'permission';
}

/** Returns the report. @param rules all of the membership. */
export function reportOf(resolution: Resolution, rules: readonly ModuleRule[]): AccessReport {
  const { membership, entitlements } = resolution;
  const access = { ...accessOf(resolution), explanation: explanationOf(resolution) };
  return {
    access,
    grantCount: membership?.moduleGrants.length ?? 0,
    modules: access.explanation.map((explained) => ({
      ...explained,
      isEntitled: entitlements.modules.has(explained.moduleKey),
      isGranted: membership?.moduleGrants.includes(explained.moduleKey) ?? false,
      isOfRole: membership?.definedRole?.modules.includes(explained.moduleKey) ?? false,
      rules: rules.filter(({ moduleKey }) => moduleKey === explained.moduleKey),
    })),
    permissions: permissionCases(resolution),
    delegation: delegationCases(resolution),
  };
}

/** Returns every permission that was granted or that the company has, by key. */
function permissionCases({ membership, entitlements }: Resolution): KeyCase[] {
  return keyCases({
    membership,
    granted: membership?.permissionGrants ?? [],
    ofRole: membership?.definedRole?.permissions ?? [],
    cap: entitlements.permissions,
    effective: effectivePermissions(membership, entitlements),
  });
}

function delegationCases({ membership, entitlements }: Resolution): DelegationCase[] {
  const effective = effectiveDelegation(membership, entitlements);
  const own = membership?.delegation;
  const ofRole = membership?.definedRole?.delegation;
  const modules = keyCases({
    membership,
    granted: own?.grantableModules ?? [],
    ofRole: ofRole?.grantableModules ?? [],
    cap: entitlements.modules,
    effective: effective.grantableModules,
  });
  const permissions = keyCases({
    membership,
    granted: own?.grantablePermissions ?? [],
    ofRole: ofRole?.grantablePermissions ?? [],
    cap: entitlements.permissions,
    effective: effective.grantablePermissions,
  });
  return [
    ...(['canManageUsers', 'canBuyAddons'] as const).map((flag) => ({
      kind: 'flag' as const,
      ...keyCase(flag, {
        membership,
        isGranted: own?.[flag] ?? false,
        isOfRole: ofRole?.[flag] ?? false,
        isEffective: effective[flag],
      }),
    })),
    ...modules.map((found) => ({ kind: 'module' as const, ...found })),
    ...permissions.map((found) => ({ kind: 'permission' as const, ...found })),
  ];
}

interface Keys {
  membership: CompanyMembership | undefined;
  granted: readonly string[];
  ofRole: readonly string[];
  /** Undefined: the company sets no limit. */
  cap: ReadonlySet<string> | undefined;
  effective: readonly string[];
}

function keyCases({ membership, granted, ofRole, cap, effective }: Keys): KeyCase[] {
  const keys = new Set([...granted, ...ofRole, ...(cap ?? [])]);
  return [...keys].toSorted().map((key) =>
    keyCase(key, {
      membership,
      isGranted: granted.includes(key),
      isOfRole: ofRole.includes(key),
      isEffective: effective.includes(key),
    }),
  );
}

interface KeyFacts {
  membership: CompanyMembership | undefined;
  isGranted: boolean;
  isOfRole: boolean;
  isEffective: boolean;
}

/** Explains a decision that was made elsewhere; it decides nothing. */
const keyCase = (key: string, facts: KeyFacts): KeyCase => ({
  key,
  isEffective: facts.isEffective,
  reason: keyReasonOf(facts),
});

function keyReasonOf({ membership, isGranted, isOfRole, isEffective }: KeyFacts): KeyReason {
  if (!membership) return 'no_membership';
  if (!isEffective) return isGranted || isOfRole ? 'not_entitled' : 'not_granted';
  if (isGranted) return 'granted';
  return isOfRole ? 'granted_by_role' : 'company_role';
}
