import { bulkInsert } from '@latchkey/core/internal/storage/bulk-insert';
import { statement } from '@latchkey/core/internal/storage/database';

/** The users of these addresses, locked in the order of every transaction. */
export const LOCK_BY_EMAIL = statement(
  'import_lock_by_email',
  'SELECT id, email FROM users WHERE email = ANY($1::text[]) ORDER BY id FOR UPDATE',
);

export const FIND_BY_EMAIL = statement(
  'import_find_by_email',
  'SELECT id, email FROM users WHERE email = ANY($1::text[])',
);

/** Addresses that are reserved for users who had them. */
export const RESERVED = statement(
  'import_reserved',
  `SELECT old_email AS email FROM email_changes
   WHERE old_email = ANY($1::text[]) AND undo_ended_at IS NULL AND undo_expires_at > now()`,
);

export const INSERT_MEMBERSHIPS = statement(
  'import_memberships',
  bulkInsert(
    'company_memberships',
    {
      id: 'uuid',
      user_id: 'uuid',
      company_id: 'uuid',
      role: 'text',
      is_active: 'boolean',
      approval_limit: 'text',
      finance_role: 'text',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
    'ON CONFLICT DO NOTHING RETURNING id',
  ),
);

/** One member of a company is its primary finance admin; a second one of the file or of the database is not. */
export const SET_PRIMARY_FINANCE_ADMINS = statement(
  'import_primary_finance_admins',
  `UPDATE company_memberships m SET is_primary_finance_admin = true
   WHERE m.id = ANY($1::uuid[]) AND m.is_active AND NOT EXISTS (
     SELECT 1 FROM company_memberships o WHERE o.company_id = m.company_id AND o.is_primary_finance_admin)
   RETURNING m.id`,
);

export const INSERT_MODULES = statement(
  'import_modules',
  bulkInsert(
    'membership_module_grants',
    { membership_id: 'uuid', module_key: 'text' },
    'ON CONFLICT DO NOTHING',
  ),
);

export const INSERT_PERMISSIONS = statement(
  'import_permissions',
  bulkInsert(
    'membership_permissions',
    { membership_id: 'uuid', permission_key: 'text' },
    'ON CONFLICT DO NOTHING',
  ),
);

export const INSERT_DELEGATIONS = statement(
  'import_delegations',
  bulkInsert('membership_delegations', {
    membership_id: 'uuid',
    can_manage_users: 'boolean',
    can_buy_addons: 'boolean',
    grantable_modules: 'text[]',
    grantable_permissions: 'text[]',
  }),
);

export const INSERT_RULES = statement(
  'import_rules',
  bulkInsert(
    'membership_module_rules',
    {
      id: 'uuid',
      membership_id: 'uuid',
      module_key: 'text',
      effect: 'text',
      source: 'text',
      team_id: 'uuid',
    },
    'ON CONFLICT DO NOTHING',
  ),
);

/** Makes first uses of these units wait for each other, in one order. */
export const LOCK_UNITS = statement(
  'import_lock_units',
  `SELECT pg_advisory_xact_lock(hashtextextended('unit:' || unit, 0))
   FROM (SELECT unnest($1::text[]) AS unit ORDER BY 1) AS units`,
);

export const OWNERS_OF_UNITS = statement(
  'import_owners_of_units',
  `SELECT DISTINCT ON (business_unit_id) business_unit_id, company_id FROM business_unit_memberships
   WHERE business_unit_id = ANY($1::uuid[]) ORDER BY business_unit_id, created_at, id`,
);

export const INSERT_BUSINESS_UNITS = statement(
  'import_business_units',
  bulkInsert(
    'business_unit_memberships',
    {
      id: 'uuid',
      user_id: 'uuid',
      company_id: 'uuid',
      business_unit_id: 'uuid',
      is_active: 'boolean',
      finance_role: 'text',
      approval_limit: 'text',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
    'ON CONFLICT DO NOTHING RETURNING id',
  ),
);

export const SET_PRIMARY_APPROVERS = statement(
  'import_primary_approvers',
  `UPDATE business_unit_memberships m SET is_primary_approver = true
   WHERE m.id = ANY($1::uuid[]) AND m.is_active AND m.finance_role = 'APPROVER' AND NOT EXISTS (
     SELECT 1 FROM business_unit_memberships o
     WHERE o.company_id = m.company_id AND o.business_unit_id = m.business_unit_id AND o.is_primary_approver)
   RETURNING m.id`,
);

export const INSERT_TOTP = statement(
  'import_totp',
  bulkInsert('totp_factors', {
    id: 'uuid',
    user_id: 'uuid',
    name: 'text',
    encrypted_secret: 'bytea',
    key_id: 'text',
    begun_by: 'uuid',
    created_at: 'timestamptz',
    confirmed_at: 'timestamptz',
    last_step: 'bigint',
    last_used_at: 'timestamptz',
  }),
);

export const INSERT_RECOVERY_CODES = statement(
  'import_recovery_codes',
  bulkInsert(
    'recovery_codes',
    {
      id: 'uuid',
      user_id: 'uuid',
      code_digest: 'bytea',
      encrypted_key: 'bytea',
      key_id: 'text',
      created_at: 'timestamptz',
      used_at: 'timestamptz',
    },
    'ON CONFLICT DO NOTHING',
  ),
);

/** An identity that belongs to a user already stays theirs. */
export const INSERT_IDENTITIES = statement(
  'import_identities',
  bulkInsert(
    'external_identities',
    {
      id: 'uuid',
      user_id: 'uuid',
      connection_id: 'text',
      subject: 'text',
      email: 'text',
      created_at: 'timestamptz',
      last_used_at: 'timestamptz',
    },
    'ON CONFLICT DO NOTHING RETURNING id',
  ),
);

export const INSERT_PASSKEYS = statement(
  'import_passkeys',
  bulkInsert(
    'passkey_credentials',
    {
      id: 'uuid',
      user_id: 'uuid',
      credential_id: 'text',
      public_key: 'bytea',
      counter: 'bigint',
      device_type: 'text',
      backed_up: 'boolean',
      transports: 'text[]',
      aaguid: 'uuid',
      name: 'text',
      created_at: 'timestamptz',
      last_used_at: 'timestamptz',
    },
    'ON CONFLICT DO NOTHING RETURNING id',
  ),
);
