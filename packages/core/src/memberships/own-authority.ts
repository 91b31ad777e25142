import { AuthError } from '../kernel/auth-error.js';
import { heldDelegation, heldPermissions } from './held-grants.js';
import type {
  BusinessUnitMembership,
  CompanyMembership,
  CompanyMembershipChange,
  Delegation,
  DelegationChange,
  FinanceRole,
  ModuleRule,
  RoleContents,
} from './membership.js';
import { rulesAfter } from './module-rules.js';

/** The finance fields of a membership, of the company or of a business unit. */
export interface FinanceAuthority {
  financeRole: FinanceRole | null;
  approvalLimit: string | null;
  isPrimary: boolean;
}

type FinanceAuthorityChange = {
  [Field in keyof FinanceAuthority]?: FinanceAuthority[Field] | undefined;
};

/** A company membership with its rules and its business-unit memberships, the ended ones too. */
export interface MembershipAuthority extends CompanyMembership {
  moduleRules: ModuleRule[];
  businessUnits: BusinessUnitMembership[];
}

/** Returns the values that the audit log keeps of a membership that ends or becomes active again. */
export const authorityDetails = ({
  id: _id,
  userId: _user,
  companyId: _company,
  createdAt: _created,
  updatedAt: _updated,
  definedRole: _defined,
  businessUnits,
  ...held
}: MembershipAuthority): Record<string, unknown> => ({
  ...held,
  businessUnits: businessUnits.map(
    ({ businessUnitId, isActive, financeRole, approvalLimit, isPrimaryApprover }) => ({
      businessUnitId,
      isActive,
      financeRole,
      approvalLimit,
      isPrimaryApprover,
    }),
  ),
});

/** The fields that an upsert can raise. */
type UpsertAuthority = Pick<
  MembershipAuthority,
  'approvalLimit' | 'moduleGrants' | 'permissionGrants' | 'delegation' | 'moduleRules'
>;

const RANKS: Record<FinanceRole, number> = { SUBMITTER: 1, APPROVER: 2 };
const rankOf = (role: FinanceRole | null): number => (role === null ? 0 : RANKS[role]);

/**
 * Reports whether a change of the finance fields raises them: a higher role, a higher limit, the primary
 * flag.
 */
export function raisesFinance(current: FinanceAuthority, change: FinanceAuthorityChange): boolean {
  const { financeRole, approvalLimit, isPrimary } = change;
  return (
    (financeRole !== undefined && rankOf(financeRole) > rankOf(current.financeRole)) ||
    isHigher(approvalLimit, current.approvalLimit) ||
    (isPrimary === true && !current.isPrimary)
  );
}

/**
 * Reports whether a change raises a membership: a higher limit, a grant or permission that is not held, a
 * delegation that is not held, a new GRANT rule or a removed DENY rule. Giving up the last module grant
 * counts too: without any, a member is not restricted under the LEGACY and SHADOW policies.
 */
export function raisesMembership(current: UpsertAuthority, change: CompanyMembershipChange): boolean {
  const { approvalLimit, moduleGrants, permissionGrants, delegation } = change;
  return (
    isHigher(approvalLimit, current.approvalLimit) ||
    addsTo(current.moduleGrants, moduleGrants) ||
    (moduleGrants?.length === 0 && current.moduleGrants.length > 0) ||
    addsTo(current.permissionGrants, permissionGrants) ||
    raisesDelegation(current.delegation, delegation) ||
    raisesRules(current.moduleRules, rulesAfter(current.moduleRules, change))
  );
}

/** Reports whether a change of the definition of their role gives a member anything that neither they nor the role have. */
export function raisesRole(
  { moduleGrants, permissionGrants, delegation, definedRole }: CompanyMembership,
  after: RoleContents | undefined,
): boolean {
  if (!after) return definedRole !== undefined;
  return (
    addsTo([...moduleGrants, ...(definedRole?.modules ?? [])], after.modules) ||
    addsTo(heldPermissions({ permissionGrants, definedRole }), after.permissions) ||
    raisesDelegation(heldDelegation({ delegation, definedRole }), after.delegation)
  );
}

/**
 * Throws if a change raises the user's own authority; lowering it is allowed.
 * @throws AuthError `forbidden`
 */
export function assertRaisesNothing(raises: boolean): void {
  if (raises)
    throw AuthError.forbidden(
      'You cannot raise your own authority. Ask another administrator.',
      'own_authority',
    );
}

/** Reports whether a limit is higher. Null is unlimited, the highest of all; an omitted limit stays. */
function isHigher(wanted: string | null | undefined, current: string | null): boolean {
  if (wanted === undefined || current === null) return false;
  return wanted === null || tenThousandths(wanted) > tenThousandths(current);
}

/** Returns a decimal of at most four digits after the point as an integer, so that no digit is lost. */
function tenThousandths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(4, '0'));
}

const addsTo = (held: readonly string[], wanted: readonly string[] = []): boolean =>
  wanted.some((key) => !held.includes(key));

const raisesDelegation = (held: Delegation, wanted: DelegationChange = {}): boolean =>
  (wanted.canManageUsers === true && !held.canManageUsers) ||
  (wanted.canBuyAddons === true && !held.canBuyAddons) ||
  addsTo(held.grantableModules, wanted.grantableModules) ||
  addsTo(held.grantablePermissions, wanted.grantablePermissions);

function raisesRules(held: readonly ModuleRule[], wanted: readonly ModuleRule[]): boolean {
  const keysOf = (rules: readonly ModuleRule[], effect: ModuleRule['effect']) =>
    rules.filter((rule) => rule.effect === effect).map(keyOf);
  return (
    addsTo(keysOf(held, 'GRANT'), keysOf(wanted, 'GRANT')) ||
    addsTo(keysOf(wanted, 'DENY'), keysOf(held, 'DENY'))
  );
}

const keyOf = ({ moduleKey, source, teamId }: ModuleRule): string =>
  [moduleKey, source, teamId ?? ''].join(' ');
