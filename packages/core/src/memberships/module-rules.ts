import type { CompanyMembershipChange, ModuleRule } from './membership.js';

/** The rules by which module grants are repeated under the ENFORCED access policy. */
export const ownGrants = (moduleGrants: readonly string[] = []): ModuleRule[] =>
  moduleGrants.map((moduleKey) => ({ moduleKey, effect: 'GRANT', source: 'MEMBER' }));

/** The rules of a membership once a change has been written: as `GrantRepository` writes them. */
export function rulesAfter(
  current: readonly ModuleRule[],
  { moduleGrants, moduleRules }: Pick<CompanyMembershipChange, 'moduleGrants' | 'moduleRules'>,
): ModuleRule[] {
  const kept = current.filter((rule) => moduleGrants === undefined || !isOwnGrant(rule));
  return [...(moduleRules ?? kept), ...ownGrants(moduleGrants)];
}

const isOwnGrant = ({ effect, source }: ModuleRule): boolean => effect === 'GRANT' && source === 'MEMBER';
