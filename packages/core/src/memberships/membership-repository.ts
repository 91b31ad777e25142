import { Batcher } from '../kernel/batcher.js';
import { statement, type Database } from '../storage/database.js';
import type { BusinessUnitMembership, CompanyMembership, FinanceRole, Memberships } from './membership.js';

/** A membership as JSON inside a row: instants are text there. */
interface MembershipJson {
  id: string;
  user_id: string;
  company_id: string;
  is_active: boolean;
  approval_limit: string | null;
  finance_role: FinanceRole | null;
  created_at: string;
  updated_at: string;
}

interface CompanyMembershipJson extends MembershipJson {
  role: string;
  is_primary_finance_admin: boolean;
  module_grants: string[];
  permission_grants: string[];
  can_manage_users: boolean | null;
  can_buy_addons: boolean | null;
  grantable_modules: string[] | null;
  grantable_permissions: string[] | null;
}

interface BusinessUnitMembershipJson extends MembershipJson {
  business_unit_id: string;
  is_primary_approver: boolean;
}

/** The two columns that `membershipColumns` adds to a row. */
export interface MembershipColumns {
  company_memberships: CompanyMembershipJson[];
  business_unit_memberships: BusinessUnitMembershipJson[];
}

/**
 * Two columns with all active memberships of the user whose id `user` names (such as `u.id`), newest first, for the
 * select list of any statement: who needs a user with their memberships asks once.
 */
export function membershipColumns(user: string): string {
  return `ARRAY(
       SELECT to_jsonb(listed) FROM (
         SELECT m.*,
           ARRAY(SELECT g.module_key FROM membership_module_grants g
                 WHERE g.membership_id = m.id ORDER BY g.module_key) AS module_grants,
           ARRAY(SELECT p.permission_key FROM membership_permissions p
                 WHERE p.membership_id = m.id ORDER BY p.permission_key) AS permission_grants,
           d.can_manage_users, d.can_buy_addons, d.grantable_modules, d.grantable_permissions
         FROM company_memberships m LEFT JOIN membership_delegations d ON d.membership_id = m.id
         WHERE m.user_id = ${user} AND m.is_active
         ORDER BY m.created_at DESC, m.id DESC) AS listed) AS company_memberships,
     ARRAY(
       SELECT to_jsonb(listed) FROM (
         SELECT b.* FROM business_unit_memberships b
         WHERE b.user_id = ${user} AND b.is_active
         ORDER BY b.created_at DESC, b.id DESC) AS listed) AS business_unit_memberships`;
}

export const toMemberships = (row: MembershipColumns): Memberships => ({
  companies: row.company_memberships.map(toCompanyMembership),
  businessUnits: row.business_unit_memberships.map(toBusinessUnitMembership),
});

const OF_USERS = statement(
  'memberships_of_users',
  `SELECT u.id, ${membershipColumns('u.id')} FROM unnest($1::uuid[]) AS u(id)`,
);

/** Active memberships by user; the look-ups of one tick share one read. */
export class MembershipRepository {
  readonly #byUser: Batcher<Memberships>;

  constructor(database: Database) {
    this.#byUser = new Batcher(async (userIds) => {
      const rows = await database.query<MembershipColumns & { id: string }>(OF_USERS, [userIds]);
      return new Map(rows.map((row) => [row.id, toMemberships(row)]));
    });
  }

  async ofUser(userId: string): Promise<Memberships> {
    return (await this.#byUser.load(userId)) ?? { companies: [], businessUnits: [] };
  }

  /** The user's active membership of this company, when there is one. */
  async ofUserInCompany(userId: string, companyId: string): Promise<CompanyMembership | undefined> {
    const { companies } = await this.ofUser(userId);
    return companies.find((membership) => membership.companyId === companyId);
  }
}

function toCompanyMembership(row: CompanyMembershipJson): CompanyMembership {
  return {
    id: row.id,
    userId: row.user_id,
    companyId: row.company_id,
    role: row.role,
    isActive: row.is_active,
    approvalLimit: row.approval_limit,
    financeRole: row.finance_role,
    isPrimaryFinanceAdmin: row.is_primary_finance_admin,
    moduleGrants: row.module_grants,
    permissionGrants: row.permission_grants,
    delegation: {
      canManageUsers: row.can_manage_users ?? false,
      canBuyAddons: row.can_buy_addons ?? false,
      grantableModules: row.grantable_modules ?? [],
      grantablePermissions: row.grantable_permissions ?? [],
    },
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

function toBusinessUnitMembership(row: BusinessUnitMembershipJson): BusinessUnitMembership {
  return {
    id: row.id,
    userId: row.user_id,
    companyId: row.company_id,
    businessUnitId: row.business_unit_id,
    isActive: row.is_active,
    financeRole: row.finance_role,
    approvalLimit: row.approval_limit,
    isPrimaryApprover: row.is_primary_approver,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
