import { statement } from '@latchkey/core/internal/storage/database';
import { PROFILE_FIELDS } from '@latchkey/core/internal/users/profile-fields';

/** Returns an object of JSON: the name of each field, and its expression. */
const object = (fields: Readonly<Record<string, string>>): string =>
  `json_build_object(${Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`;

/** Returns a list of the rows of a table, or null if there are none. */
const list = (fields: Readonly<Record<string, string>>, from: string, order: string): string =>
  `(SELECT json_agg(${object(fields)} ORDER BY ${order}) FROM ${from})`;

const keys = (table: string, column: string): string =>
  `(SELECT json_agg(k.${column} ORDER BY k.${column}) FROM ${table} k WHERE k.membership_id = m.id)`;

const base64url = (column: string): string => `translate(encode(${column}, 'base64'), E'+/=\\n', '-_')`;

const BUSINESS_UNITS = list(
  {
    id: 'b.id',
    businessUnitId: 'b.business_unit_id',
    isActive: 'b.is_active',
    financeRole: 'b.finance_role',
    approvalLimit: 'b.approval_limit',
    isPrimaryApprover: 'b.is_primary_approver',
    createdAt: 'b.created_at',
    updatedAt: 'b.updated_at',
  },
  'business_unit_memberships b WHERE b.user_id = m.user_id AND b.company_id = m.company_id',
  'b.id',
);

const RULES = list(
  { moduleKey: 'r.module_key', effect: 'r.effect', source: 'r.source', teamId: 'r.team_id' },
  'membership_module_rules r WHERE r.membership_id = m.id',
  'r.module_key, r.id',
);

const DELEGATION = `(SELECT ${object({
  canManageUsers: 'd.can_manage_users',
  canBuyAddons: 'd.can_buy_addons',
  grantableModules: 'd.grantable_modules',
  grantablePermissions: 'd.grantable_permissions',
})} FROM membership_delegations d WHERE d.membership_id = m.id)`;

const MEMBERSHIPS = list(
  {
    id: 'm.id',
    companyId: 'm.company_id',
    role: 'm.role',
    isActive: 'm.is_active',
    approvalLimit: 'm.approval_limit',
    financeRole: 'm.finance_role',
    isPrimaryFinanceAdmin: 'm.is_primary_finance_admin',
    moduleGrants: keys('membership_module_grants', 'module_key'),
    permissionGrants: keys('membership_permissions', 'permission_key'),
    delegation: DELEGATION,
    moduleRules: RULES,
    businessUnits: BUSINESS_UNITS,
    createdAt: 'm.created_at',
    updatedAt: 'm.updated_at',
  },
  'company_memberships m WHERE m.user_id = u.id',
  'm.id',
);

const PASSKEYS = list(
  {
    id: 'p.id',
    credentialId: 'p.credential_id',
    publicKey: base64url('p.public_key'),
    counter: 'p.counter',
    deviceType: 'p.device_type',
    isBackedUp: 'p.backed_up',
    transports: 'p.transports',
    aaguid: 'p.aaguid',
    name: 'p.name',
    createdAt: 'p.created_at',
    lastUsedAt: 'p.last_used_at',
  },
  'passkey_credentials p WHERE p.user_id = u.id',
  'p.id',
);

const IDENTITIES = list(
  {
    id: 'i.id',
    provider: 'i.connection_id',
    subject: 'i.subject',
    email: 'i.email',
    createdAt: 'i.created_at',
    lastUsedAt: 'i.last_used_at',
  },
  // An import takes no address as a subject.
  "external_identities i WHERE i.user_id = u.id AND position('@' IN i.subject) = 0",
  'i.id',
);

/** Keys are decrypted afterwards. */
const RECOVERY_CODES = list(
  {
    id: 'c.id',
    digest: base64url('c.code_digest'),
    keyId: 'c.key_id',
    encryptedKey: base64url('c.encrypted_key'),
    createdAt: 'c.created_at',
    usedAt: 'c.used_at',
  },
  'recovery_codes c WHERE c.user_id = u.id',
  'c.id',
);

/** Secrets are decrypted afterwards. */
const TOTP = list(
  {
    id: 't.id',
    name: 't.name',
    keyId: 't.key_id',
    encryptedSecret: base64url('t.encrypted_secret'),
    createdAt: 't.created_at',
    confirmedAt: 't.confirmed_at',
    lastStep: 't.last_step',
    lastUsedAt: 't.last_used_at',
  },
  'totp_factors t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL',
  't.id',
);

const PROFILE = Object.fromEntries(
  Object.entries(PROFILE_FIELDS).map(([field, { column }]) => [field, `u.${column}`]),
);

/** With `$3` also what signs the user in: password hash, recovery codes, and the secrets of authenticator apps. */
const withSecrets = (expression: string): string => `CASE WHEN $3::boolean THEN ${expression} END`;

/**
 * The records of users after an id, in the order of their ids. PostgreSQL writes each as the text of its line, without
 * fields that are empty.
 */
export const EXPORT_USERS = statement(
  'export_users',
  `SELECT u.id, json_strip_nulls(${object({
    id: 'u.id',
    email: 'u.email',
    emailVerifiedAt: 'u.email_verified_at',
    fullName: 'u.full_name',
    ...PROFILE,
    authProvider: 'u.auth_provider',
    globalRole: 'u.global_role',
    approvalStatus: 'u.approval_status',
    isActive: 'u.is_active',
    legacyIds: 'u.legacy_ids',
    createdAt: 'u.created_at',
    updatedAt: 'u.updated_at',
    lastLoginAt: 'u.last_login_at',
    passwordChangedAt: 'u.password_changed_at',
    memberships: MEMBERSHIPS,
    passkeys: PASSKEYS,
    identities: IDENTITIES,
    passwordHash: withSecrets('u.password_hash'),
  })})::text AS line, ${withSecrets(`json_strip_nulls(${RECOVERY_CODES})`)} AS "recoveryCodes",
   ${withSecrets(`json_strip_nulls(${TOTP})`)} AS totp
   FROM users u WHERE u.id > $1 AND u.erased_at IS NULL ORDER BY u.id LIMIT $2`,
);
