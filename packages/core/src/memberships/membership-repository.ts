import { Batcher } from '../kernel/batcher.js';
import { statement, type Database } from '../storage/database.js';
import type { BusinessUnitMembership, CompanyMembership, FinanceRole, Memberships } from './membership.js';

interface CompanyRow {
  id: string;
  user_id: string;
  company_id: string;
  role: string;
  is_active: boolean;
  approval_limit: string | null;
  finance_role: FinanceRole | null;
  is_primary_finance_admin: boolean;
  created_at: Date;
  updated_at: Date;
  module_grants: string[];
  permission_grants: string[];
  can_manage_users: boolean | null;
  can_buy_addons: boolean | null;
  grantable_modules: string[] | null;
  grantable_permissions: string[] | null;
}

interface BusinessUnitRow {
  id: string;
  user_id: string;
  company_id: string;
  business_unit_id: string;
  is_active: boolean;
  finance_role: FinanceRole | null;
  approval_limit: string | null;
  is_primary_approver: boolean;
  created_at: Date;
  updated_at: Date;
}

const COMPANIES_OF_USERS = statement(
  'company_memberships_of_users',
  `SELECT m.id, m.user_id, m.company_id, m.role, m.is_active, m.approval_limit, m.finance_role,
     m.is_primary_finance_admin, m.created_at, m.updated_at,
     ARRAY(SELECT g.module_key FROM membership_module_grants g
           WHERE g.membership_id = m.id ORDER BY g.module_key) AS module_grants,
     ARRAY(SELECT p.permission_key FROM membership_permissions p
           WHERE p.membership_id = m.id ORDER BY p.permission_key) AS permission_grants,
     d.can_manage_users, d.can_buy_addons, d.grantable_modules, d.grantable_permissions
   FROM company_memberships m LEFT JOIN membership_delegations d ON d.membership_id = m.id
   WHERE m.user_id = ANY($1::uuid[]) AND m.is_active
   ORDER BY m.created_at DESC, m.id DESC`,
);

const UNITS_OF_USERS = statement(
  'business_unit_memberships_of_users',
  `SELECT id, user_id, company_id, business_unit_id, is_active, finance_role, approval_limit,
     is_primary_approver, created_at, updated_at
   FROM business_unit_memberships
   WHERE user_id = ANY($1::uuid[]) AND is_active
   ORDER BY created_at DESC, id DESC`,
);

/** Active memberships by user; the look-ups of one tick share one read. */
export class MembershipRepository {
  readonly #byUser: Batcher<Memberships>;

  constructor(database: Database) {
    this.#byUser = new Batcher((userIds) => readMemberships(database, userIds));
  }

  async ofUser(userId: string): Promise<Memberships> {
    return (await this.#byUser.load(userId)) ?? { companies: [], businessUnits: [] };
  }
}

async function readMemberships(database: Database, userIds: string[]): Promise<Map<string, Memberships>> {
  const [companies, units] = await Promise.all([
    database.query<CompanyRow>(COMPANIES_OF_USERS, [userIds]),
    database.query<BusinessUnitRow>(UNITS_OF_USERS, [userIds]),
  ]);
  const byUser = new Map<string, Memberships>(userIds.map((id) => [id, { companies: [], businessUnits: [] }]));
  for (const row of companies) byUser.get(row.user_id)?.companies.push(toCompanyMembership(row));
  for (const row of units) byUser.get(row.user_id)?.businessUnits.push(toBusinessUnitMembership(row));
  return byUser;
}

function toCompanyMembership(row: CompanyRow): CompanyMembership {
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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toBusinessUnitMembership(row: BusinessUnitRow): BusinessUnitMembership {
  return {
    id: row.id,
    userId: row.user_id,
    companyId: row.company_id,
    businessUnitId: row.business_unit_id,
    isActive: row.is_active,
    financeRole: row.finance_role,
    approvalLimit: row.approval_limit,
    isPrimaryApprover: row.is_primary_approver,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
