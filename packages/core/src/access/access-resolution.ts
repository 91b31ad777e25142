import type { CompanyMembership, DecidingRules, Memberships } from '../memberships/membership.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { GlobalRole } from '../users/user.js';
import type { AccessView, ModuleExplanation } from './access-schema.js';
import { effectiveModules, explainModules, judgeModule, type ModuleClaim } from './effective-modules.js';
import { effectiveDelegation, effectivePermissions } from './effective-permissions.js';
import type { Entitlements } from './entitlements.js';

/** The user whose access is resolved; a signed-in user is one. */
export interface AccessSubject {
  userId: string;
  globalRole: GlobalRole;
  /** Level of the session. Without it, access in a company that requires a second factor is denied. */
  acr?: AuthenticationLevel;
  /** The active ones. */
  memberships: Memberships;
  /** The module rules of the memberships, if they were read with them; else they are read when they matter. */
  moduleRules?: DecidingRules | undefined;
}

/** A subject in one company, and the facts that decide on the access there. */
export interface Resolution {
  subject: AccessSubject;
  companyId: string;
  membership: CompanyMembership | undefined;
  entitlements: Entitlements;
  claim: ModuleClaim;
}

/** Returns the flat structure for callers. */
export function accessOf(resolution: Resolution): AccessView {
  const { membership, entitlements, claim } = resolution;
  return {
    modules: effectiveModules(claim, entitlements),
    permissions: effectivePermissions(membership, entitlements),
    delegation: effectiveDelegation(membership, entitlements),
    metadata: metadataOf(resolution),
  };
}

/** Returns the modules that ENFORCED would give a member under SHADOW; undefined without anything to compare. */
export function enforcedModulesOf({ claim, entitlements }: Resolution): string[] | undefined {
  if (entitlements.accessPolicyMode !== 'SHADOW' || claim.kind === 'platform') return undefined;
  return effectiveModules(claim, underEnforced(entitlements));
}

/** Returns the reason for each module. */
export function explanationOf({ claim, entitlements }: Resolution): ModuleExplanation[] {
  const verdicts = explainModules(claim, entitlements);
  if (entitlements.accessPolicyMode !== 'SHADOW') return verdicts;
  return verdicts.map((verdict) => ({
    ...verdict,
    enforcedReason: judgeModule(verdict.moduleKey, claim, underEnforced(entitlements)).reason,
  }));
}

const underEnforced = (entitlements: Entitlements): Entitlements => ({
  ...entitlements,
  accessPolicyMode: 'ENFORCED',
});

function metadataOf({ subject, companyId, membership, entitlements }: Resolution): AccessView['metadata'] {
  const units = subject.memberships.businessUnits.filter((place) => place.companyId === companyId);
  return {
    companyId,
    ...(entitlements.name !== undefined && { companyName: entitlements.name }),
    userId: subject.userId,
    role: membership?.role ?? null,
    ...(membership?.definedRole && { roleName: membership.definedRole.name }),
    globalRole: subject.globalRole,
    accessPolicyMode: entitlements.accessPolicyMode,
    businessUnitIds: units.map(({ businessUnitId }) => businessUnitId).toSorted(),
    entitledModules: [...entitlements.modules].toSorted(),
    resolvedAt: new Date().toISOString(),
  };
}
