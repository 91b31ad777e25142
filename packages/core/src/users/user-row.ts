import {
  mapProfile,
  PROFILE_COLUMNS,
  PROFILE_FIELDS,
  type ProfileColumns,
  type ProfileValues,
} from './profile-fields.js';
import type { User } from './user.js';

const profileOfRow = (row: ProfileColumns): ProfileValues =>
  mapProfile((field) => row[PROFILE_FIELDS[field].column]);

/** A row of `users` without its password hash, which only the login reads. */
export interface UserRow extends ProfileColumns {
  id: string;
  email: string;
  full_name: string | null;
  email_verified_at: Date | null;
  auth_provider: User['authProvider'];
  global_role: User['globalRole'];
  approval_status: User['approvalStatus'];
  is_active: boolean;
  token_version: number;
  legacy_ids: Record<string, string>;
  created_at: Date;
  updated_at: Date;
  last_login_at: Date | null;
  delete_at: Date | null;
  erased_at: Date | null;
}

const COLUMN_NAMES = [
  'id',
  'email',
  'full_name',
  ...PROFILE_COLUMNS,
  'email_verified_at',
  'auth_provider',
  'global_role',
  'approval_status',
  'is_active',
  'token_version',
  'legacy_ids',
  'created_at',
  'updated_at',
  'last_login_at',
  'delete_at',
  'erased_at',
] as const satisfies readonly (keyof UserRow)[];

/** Returns the columns of a user for a select list, with the alias of the table for joins. */
export const userColumns = (alias = 'users'): string[] => COLUMN_NAMES.map((name) => `${alias}.${name}`);

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    ...profileOfRow(row),
    emailVerifiedAt: row.email_verified_at,
    authProvider: row.auth_provider,
    globalRole: row.global_role,
    approvalStatus: row.approval_status,
    isActive: row.is_active,
    tokenVersion: row.token_version,
    legacyIds: row.legacy_ids,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastLoginAt: row.last_login_at,
    deleteAt: row.delete_at,
    erasedAt: row.erased_at,
  };
}
