import type { CompanyMembershipChange, ModuleRule } from './membership.js';

/** Returns the rules that repeat module grants under the ENFORCED access policy. */
export const ownGrants = (moduleGrants: readonly string[] = []): ModuleRule[] =>
  moduleGrants.map((moduleKey) => ({ moduleKey, effect: 'GRANT', source: 'MEMBER' }));

/** Returns the rules of a membership after a change, as `GrantRepository` writes them. */
export function rulesAfter(
  current: readonly ModuleRule[],
  { moduleGrants, moduleRules }: Pick<CompanyMembershipChange, 'moduleGrants' | 'moduleRules'>,
): ModuleRule[] {
  const kept = current.filter((rule) => moduleGrants === undefined || !isOwnGrant(rule));
  return [...(moduleRules ?? kept), ...ownGrants(moduleGrants)];
}

const isOwnGrant = ({ effect, source }: ModuleRule): boolean => effect === 'GRANT' && source === 'MEMBER';
