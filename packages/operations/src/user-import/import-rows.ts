import { newId } from '@latchkey/core/internal/kernel/id';
import { ownGrants } from '@latchkey/core/internal/memberships/module-rules';
import { columnsOfProfile } from '@latchkey/core/internal/users/profile-fields';
import type { ImportRecord } from './import-record.js';

/** PostgreSQL reads it as the time of the transaction: for times that a file does not name. */
export const NOW = 'now';

type ImportedMembership = ImportRecord['memberships'][number];

/** A company membership with what depends on it, as it is written. */
export interface MembershipRows {
  readonly id: string;
  readonly userId: string;
  readonly companyId: string;
  /** As the file has it, for the audit log. */
  readonly imported: ImportedMembership;
  readonly membership: object;
  readonly isPrimaryFinanceAdmin: boolean;
  readonly modules: readonly object[];
  readonly permissions: readonly object[];
  readonly delegation: object | undefined;
  readonly rules: readonly object[];
  readonly businessUnits: readonly BusinessUnitRow[];
}

export interface BusinessUnitRow {
  readonly id: string;
  readonly user_id: string;
  readonly is_active: boolean;
  readonly finance_role: string | null;
  readonly approval_limit: string | null;
  readonly business_unit_id: string;
  readonly company_id: string;
  readonly is_primary_approver: boolean;
}

/** Returns the row of a user. @param passwordHash the hash in the form that is stored. */
export function userRow(id: string, record: ImportRecord, passwordHash: string | undefined): object {
  return {
    id,
    email: record.email,
    password_hash: passwordHash,
    full_name: record.fullName,
    ...columnsOfProfile(record),
    auth_provider: record.authProvider,
    global_role: record.globalRole,
    approval_status: record.approvalStatus,
    is_active: record.isActive,
    legacy_ids: record.legacyIds,
    email_verified_at: record.emailVerifiedAt ?? (record.isEmailVerified ? NOW : null),
    password_changed_at: record.passwordChangedAt,
    last_login_at: record.lastLoginAt,
    created_at: record.createdAt ?? NOW,
    updated_at: record.updatedAt ?? NOW,
  };
}

/** Returns the rows of a membership and of what depends on it. Module grants are repeated as rules, as everywhere. */
export function membershipRows(userId: string, membership: ImportedMembership): MembershipRows {
  const id = membership.id ?? newId();
  const { companyId, moduleGrants, permissionGrants, delegation } = membership;
  const dates = { created_at: membership.createdAt ?? NOW, updated_at: membership.updatedAt ?? NOW };
  return {
    id,
    userId,
    companyId,
    imported: membership,
    isPrimaryFinanceAdmin: membership.isPrimaryFinanceAdmin,
    membership: {
      id,
      user_id: userId,
      company_id: companyId,
      role: membership.role,
      is_active: membership.isActive,
      approval_limit: membership.approvalLimit,
      finance_role: membership.financeRole,
      ...dates,
    },
    modules: moduleGrants.map((module_key) => ({ membership_id: id, module_key })),
    permissions: permissionGrants.map((permission_key) => ({ membership_id: id, permission_key })),
    delegation: delegation && {
      membership_id: id,
      can_manage_users: delegation.canManageUsers ?? false,
      can_buy_addons: delegation.canBuyAddons ?? false,
      grantable_modules: delegation.grantableModules ?? [],
      grantable_permissions: delegation.grantablePermissions ?? [],
    },
    rules: [...membership.moduleRules, ...ownGrants(moduleGrants)].map((rule) => ({
      id: newId(),
      membership_id: id,
      module_key: rule.moduleKey,
      effect: rule.effect,
      source: rule.source,
      team_id: rule.teamId,
    })),
    businessUnits: businessUnitRows(userId, membership),
  };
}

const businessUnitRows = (
  userId: string,
  { companyId, businessUnits }: ImportedMembership,
): BusinessUnitRow[] =>
  businessUnits.map((unit) => ({
    id: unit.id ?? newId(),
    user_id: userId,
    company_id: companyId,
    business_unit_id: unit.businessUnitId,
    is_active: unit.isActive,
    finance_role: unit.financeRole,
    approval_limit: unit.approvalLimit,
    is_primary_approver: unit.isPrimaryApprover,
    created_at: unit.createdAt ?? NOW,
    updated_at: unit.updatedAt ?? NOW,
  }));

/** Returns bytes in the hexadecimal form of PostgreSQL. */
export const byteaOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
