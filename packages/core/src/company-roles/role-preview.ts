import { claimOfMember, effectiveModules } from '../access/effective-modules.js';
import { effectiveDelegation, effectivePermissions } from '../access/effective-permissions.js';
import type { Entitlements, EntitlementSource } from '../access/entitlements.js';
import type { ModuleRuleRepository } from '../access/module-rule-repository.js';
import { checkInput } from '../kernel/check-input.js';
import { checkId } from '../kernel/uuid-input.js';
import type { CompanyMember } from '../memberships/member.js';
import type { MembershipQueries } from '../memberships/membership-queries.js';
import type { CompanyMembership, DecidingRule, RoleContents } from '../memberships/membership.js';
import { maySignIn } from '../users/user.js';
import type { CompanyRoleRepository, RoleScope } from './company-role-repository.js';
import {
  contentsOf,
  rolePreviewInput,
  type RolePreviewInput,
  type RolePreviewView,
} from './company-role-schema.js';
import { assertDefinable, roleDifference, roleNotFound } from './company-role.js';
import { checkScope } from './role-administration.js';

/** Members of a preview. */
const MOST_MEMBERS = 1000;

/** A membership after a change, as far as the role decides. */
type AfterChange = Pick<CompanyMembership, 'role' | 'definedRole'>;

/** Previews what members of a role gain and lose by a change of its definition. Writes nothing. */
export class RolePreview {
  readonly #deps;

  constructor(deps: {
    readonly companyRoles: CompanyRoleRepository;
    readonly membershipQueries: MembershipQueries;
    readonly rules: ModuleRuleRepository;
    readonly entitlements: EntitlementSource;
  }) {
    this.#deps = deps;
  }

  /**
   * Returns the effect on the members in one company.
   * @param inCompany whose members are compared. Defaults to that of the definition.
   * @throws AuthError `validation_error`, `not_found` for the removal of a role without a definition, `conflict` for a reserved
   * one, `forbidden` for an unknown company, `service_unavailable`.
   */
  async of(
    role: RoleScope,
    input: RolePreviewInput,
    inCompany: string | null = role.companyId,
  ): Promise<RolePreviewView> {
    const scope = checkScope(role);
    const company = checkId(inCompany ?? '', 'companyId');
    const wanted = checkInput(rolePreviewInput, input);
    assertDefinable(scope.key);
    const change = await this.#changeOf(scope, wanted, company);
    const slice = { limit: MOST_MEMBERS, offset: 0 };
    const { items, ...count } = await this.#deps.membershipQueries.companyUsers(company, slice, {
      role: scope.key,
    });
    const members = items.length === 0 ? [] : await this.#compare(company, items, change.after);
    return { members, ...count, fallsBackToTemplate: change.fallsBackToTemplate };
  }

  async #compare(company: string, members: readonly CompanyMember[], after: AfterChange | undefined) {
    const entitlements = await this.#deps.entitlements.fetch(company);
    const rules = await this.#deps.rules.ofMemberships(members.map(({ membership }) => membership.id));
    return members.map((member) => ({
      userId: member.user.id,
      ...differenceOf(member, after, rules.get(member.membership.id) ?? [], entitlements),
    }));
  }

  /** Returns the role after the change; undefined if the company has a definition of its own, which stays. */
  async #changeOf(
    { companyId, key }: RoleScope,
    wanted: ReturnType<typeof rolePreviewInput.parse>,
    company: string,
  ): Promise<{ after: AfterChange | undefined; fallsBackToTemplate: boolean }> {
    const own = await this.#deps.companyRoles.find({ companyId: company, key });
    const isReplaced = companyId === null && own !== undefined;
    if (!('remove' in wanted)) {
      const after = { role: key, definedRole: contentsOf(wanted) };
      return { after: isReplaced ? undefined : after, fallsBackToTemplate: false };
    }
    const template = await this.#deps.companyRoles.find({ companyId: null, key });
    if (!(companyId === null ? template : own)) throw roleNotFound();
    if (isReplaced) return { after: undefined, fallsBackToTemplate: false };
    if (wanted.moveTo !== undefined) {
      const definedRole = await this.#inEffect(company, wanted.moveTo);
      return { after: { role: wanted.moveTo, definedRole }, fallsBackToTemplate: false };
    }
    const fallback = companyId === null ? undefined : template;
    return { after: { role: key, definedRole: fallback }, fallsBackToTemplate: fallback !== undefined };
  }

  async #inEffect(company: string, key: string) {
    return (
      (await this.#deps.companyRoles.find({ companyId: company, key })) ??
      (await this.#deps.companyRoles.find({ companyId: null, key }))
    );
  }
}

/** Compares the access of a member before and after. A user who may not sign in has none. */
function differenceOf(
  { user, membership }: CompanyMember,
  after: AfterChange | undefined,
  rules: readonly DecidingRule[],
  entitlements: Entitlements,
) {
  if (!maySignIn(user) || !after) return roleDifference(undefined, undefined);
  return roleDifference(
    accessBy(membership, rules, entitlements),
    accessBy({ ...membership, ...after }, rules, entitlements),
  );
}

const accessBy = (
  membership: CompanyMembership,
  rules: readonly DecidingRule[],
  entitlements: Entitlements,
): RoleContents => ({
  modules: effectiveModules(claimOfMember(membership, rules), entitlements),
  permissions: effectivePermissions(membership, entitlements),
  delegation: effectiveDelegation(membership, entitlements),
});
