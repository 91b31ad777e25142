import { newId } from '../kernel/id.js';
import type { Transaction } from '../storage/database.js';
import type { CompanyMembershipChange, DelegationChange, ModuleRule } from './membership.js';
import { ownGrants } from './module-rules.js';

const MODULES = { table: 'membership_module_grants', column: 'module_key' };
const PERMISSIONS = { table: 'membership_permissions', column: 'permission_key' };
const RULES = 'membership_module_rules';

const OWN_GRANT = { effect: 'GRANT', source: 'MEMBER' } as const;

/**
 * Stores grants, permissions, delegation and rules of company memberships. The caller's transaction holds the
 * membership's row.
 */
export class GrantRepository {
  /**
   * Writes the given grants; a given list replaces the stored one. Module grants are repeated as the member's
   * own GRANT rules, so that a company can change its access policy; rules that are given beside them stay,
   * too.
   */
  async write(
    membershipId: string,
    grants: Pick<CompanyMembershipChange, 'moduleGrants' | 'permissionGrants' | 'delegation' | 'moduleRules'>,
    trx: Transaction,
  ): Promise<void> {
    const { moduleGrants, permissionGrants, delegation, moduleRules } = grants;
    if (moduleGrants) await this.#replaceKeys(membershipId, moduleGrants, MODULES, trx);
    if (permissionGrants) await this.#replaceKeys(membershipId, permissionGrants, PERMISSIONS, trx);
    if (delegation) await this.#writeDelegation(membershipId, delegation, trx);
    if (moduleRules) await trx(RULES).where({ membership_id: membershipId }).delete();
    else if (moduleGrants) await this.#dropOwnGrantsBut(membershipId, moduleGrants, trx);
    await this.#addRules(membershipId, [...(moduleRules ?? []), ...ownGrants(moduleGrants)], trx);
  }

  /** Returns the membership's rules of every source. */
  async rulesOf(membershipId: string, trx: Transaction): Promise<ModuleRule[]> {
    const rows = await trx(RULES)
      .where({ membership_id: membershipId })
      .orderBy(['module_key', 'id'])
      .select<(Pick<ModuleRule, 'effect' | 'source'> & { module_key: string; team_id: string | null })[]>(
        'module_key',
        'effect',
        'source',
        'team_id',
      );
    return rows.map(({ module_key: moduleKey, effect, source, team_id: teamId }) => ({
      moduleKey,
      effect,
      source,
      ...(teamId !== null && { teamId }),
    }));
  }

  async #replaceKeys(
    membershipId: string,
    keys: readonly string[],
    { table, column }: { table: string; column: string },
    trx: Transaction,
  ): Promise<void> {
    const ofMember = { membership_id: membershipId };
    await trx(table).where(ofMember).whereNotIn(column, keys).delete();
    if (keys.length === 0) return;
    await trx(table)
      .insert(keys.map((key) => ({ ...ofMember, [column]: key })))
      .onConflict()
      .ignore();
  }

  async #writeDelegation(
    membershipId: string,
    delegation: DelegationChange,
    trx: Transaction,
  ): Promise<void> {
    const fields = {
      can_manage_users: delegation.canManageUsers,
      can_buy_addons: delegation.canBuyAddons,
      grantable_modules: delegation.grantableModules,
      grantable_permissions: delegation.grantablePermissions,
    };
    await trx('membership_delegations')
      .insert({ membership_id: membershipId, ...fields })
      .onConflict('membership_id')
      .merge({ ...fields, updated_at: trx.raw('now()') });
  }

  async #dropOwnGrantsBut(membershipId: string, keys: readonly string[], trx: Transaction): Promise<void> {
    await trx(RULES)
      .where({ membership_id: membershipId, ...OWN_GRANT })
      .whereNotIn('module_key', keys)
      .delete();
  }

  async #addRules(membershipId: string, rules: readonly ModuleRule[], trx: Transaction): Promise<void> {
    if (rules.length === 0) return;
    const rows = rules.map((rule) => ({
      id: newId(),
      membership_id: membershipId,
      module_key: rule.moduleKey,
      effect: rule.effect,
      source: rule.source,
      team_id: rule.teamId ?? null,
    }));
    await trx(RULES).insert(rows).onConflict().ignore();
  }
}
