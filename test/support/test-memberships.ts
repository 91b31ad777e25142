import { uuidv7 as newId } from 'uuidv7';
import type { Sql } from './service.js';

export interface NewTestMembership {
  userId: string;
  companyId: string;
  /** Default: MEMBER. */
  role?: string;
  /** Default: true. */
  active?: boolean;
  moduleGrants?: string[];
  permissionGrants?: string[];
  delegation?: {
    canManageUsers?: boolean;
    canBuyAddons?: boolean;
    grantableModules?: string[];
    grantablePermissions?: string[];
  };
}

/** Writes a place in a company straight into the database; gives its id. */
export async function insertMembership(sql: Sql, wanted: NewTestMembership): Promise<string> {
  const { userId, companyId, role = 'MEMBER', active = true, delegation = {} } = wanted;
  const id = newId();
  await sql(
    'INSERT INTO company_memberships (id, user_id, company_id, role, is_active) VALUES ($1, $2, $3, $4, $5)',
    [id, userId, companyId, role, active],
  );
  await sql(
    `INSERT INTO membership_module_grants (membership_id, module_key) SELECT $1, unnest($2::text[])`,
    [id, wanted.moduleGrants ?? []],
  );
  await sql(
    `INSERT INTO membership_permissions (membership_id, permission_key) SELECT $1, unnest($2::text[])`,
    [id, wanted.permissionGrants ?? []],
  );
  await sql(
    `INSERT INTO membership_delegations (membership_id, can_manage_users, can_buy_addons, grantable_modules,
       grantable_permissions) VALUES ($1, $2, $3, $4, $5)`,
    [
      id,
      delegation.canManageUsers ?? false,
      delegation.canBuyAddons ?? false,
      delegation.grantableModules ?? [],
      delegation.grantablePermissions ?? [],
    ],
  );
  return id;
}
