/** Sessions and audit rows per user. */
const SESSIONS_PER_USER = 3;
const AUDIT_ROWS_PER_USER = 5;

const KINDS = [
  'company',
  'unit',
  'user',
  'session',
  'audit',
  'membership',
  'unitMembership',
  'rule',
  'invitation',
  'passkey',
  'mail',
  'token',
  'revocation',
] as const;

/** Returns the SQL of the id of row number n of its kind; n is SQL too. */
export const idOf = (kind: (typeof KINDS)[number], n: string): string =>
  `bench.id('${String(KINDS.indexOf(kind)).padStart(2, '0')}', ${n})`;

/** The business unit of the large company, and the company itself, which a tenth of all users belong to. */
export const LARGE_COMPANY = idOf('company', '0');
export const LARGE_UNIT = idOf('unit', '0');

/**
 * Helpers of the statements below. Ids grow with their number, as those of the product grow with time, so that rows are
 * inserted in the order of the primary key. The start is fixed once, so that later rows continue the same series.
 */
export const PREPARE = `
  CREATE SCHEMA bench;
  CREATE TABLE bench.start AS SELECT now() AS at;
  CREATE FUNCTION bench.id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (lpad(to_hex(1700000000000 + n * 400), 12, '0') || '700080000000000000' || kind)::uuid
  $$;
  CREATE FUNCTION bench.digest(kind text, n bigint) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sha256(convert_to(kind || n::text, 'UTF8'))
  $$;`;

/** Adds the rows of one table for the users after number $1, up to $2. */
export interface RowMaker {
  table: string;
  sql: string;
  /** True: $3 is the hash of everyone's password. */
  takesPasswordHash?: boolean;
}

/** Numbers that are ${factor} per user. */
const numbers = (factor: number): string =>
  `generate_series($1::bigint * ${factor} + 1, $2::bigint * ${factor}) AS n, bench.start`;

const USERS: RowMaker = {
  table: 'users',
  takesPasswordHash: true,
  sql: `INSERT INTO users (id, email, full_name, password_hash, approval_status, is_active, global_role, created_at,
      email_verified_at)
    SELECT ${idOf('user', 'n')}, 'person' || n || '@example.com', 'Person ' || n, $3,
      CASE WHEN n % 1000 = 0 THEN 'PENDING' ELSE 'APPROVED' END, n % 500 <> 0,
      CASE WHEN n = 2 THEN 'PLATFORM_SUPERADMIN' WHEN n % 50000 = 1 THEN 'PLATFORM_ADMIN' ELSE 'NONE' END,
      at - interval '400 days' + n * interval '30 seconds', at
    FROM ${numbers(1)}`,
};

// One in three sessions is revoked and one in fifteen has expired, as after some weeks of use. The sessions of a user
// are far from each other; one in fifty was created from another one of its user.
const SESSIONS: RowMaker = {
  table: 'sessions',
  sql: `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, created_at, last_used_at,
      expires_at, is_revoked, revoked_at, revoke_reason, parent_session_id, ip_address, user_agent)
    SELECT ${idOf('session', 'n')}, ${idOf('user', '$1 + 1 + (n * 7919) % ($2 - $1)')}, bench.digest('selector', n),
      bench.digest('secret', n), 'password', '{pwd}', created, created, CASE WHEN n % 15 = 1 THEN at ELSE created + interval '14 days' END, n % 3 = 0,
      CASE WHEN n % 3 = 0 THEN created + interval '1 hour' END, CASE WHEN n % 3 = 0 THEN 'logout' END,
      CASE WHEN n % 50 = 0 AND n > $1 * ${SESSIONS_PER_USER} + $2 - $1 THEN ${idOf('session', 'n - ($2 - $1)')} END,
      '192.0.2.' || n % 256, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    FROM ${numbers(SESSIONS_PER_USER)}, LATERAL (
      SELECT at - interval '13.9 days' + n * interval '0.4 seconds' AS created) AS times`,
};

const AUDIT: RowMaker = {
  table: 'auth_audit_logs',
  sql: `INSERT INTO auth_audit_logs (id, occurred_at, event, outcome, actor, actor_user_id, subject_user_id, company_id,
      session_id, ip_address, request_id, acted_by_user_id)
    SELECT ${idOf('audit', 'n')}, at - interval '90 days' + n * interval '1.5 seconds',
      (ARRAY['login', 'login', 'login', 'logout', 'user_updated', 'membership_updated', 'handoff_created'])[1 + n % 7],
      CASE WHEN n % 20 = 0 THEN 'failure' WHEN n % 97 = 0 THEN 'denied' ELSE 'success' END, 'user',
      ${idOf('user', '$1 + 1 + (n * 7919) % ($2 - $1)')}, ${idOf('user', '$1 + 1 + (n * 7919) % ($2 - $1)')},
      CASE WHEN n % 40 = 0 THEN ${LARGE_COMPANY} WHEN n % 4 = 0 THEN ${idOf('company', '1 + n % ($2 / 200 + 1)')} END,
      CASE WHEN n % 2 = 0 THEN ${idOf('session', `$1 * ${SESSIONS_PER_USER} + 1 + n % (($2 - $1) * ${SESSIONS_PER_USER})`)} END,
      '192.0.2.' || n % 256, 'request-' || n,
      CASE WHEN n % 1000 = 0 THEN ${idOf('user', '$1 + 1 + (n * 7919) % ($2 - $1)')} END
    FROM ${numbers(AUDIT_ROWS_PER_USER)}`,
};

// A tenth of the users belong to the large company, half of them to one of a hundred members.
const MEMBERSHIPS: RowMaker = {
  table: 'company_memberships',
  sql: `INSERT INTO company_memberships (id, user_id, company_id, role, created_at)
    SELECT ${idOf('membership', 'n')}, ${idOf('user', 'n')},
      CASE WHEN n % 10 = 0 THEN ${LARGE_COMPANY} ELSE ${idOf('company', '1 + n / 200')} END,
      CASE WHEN n % 200 IN (0, 1) THEN 'ADMIN' ELSE 'MEMBER' END,
      at - interval '400 days' + n * interval '30 seconds'
    FROM ${numbers(1)} WHERE n % 10 = 0 OR n % 2 = 1`,
};

const UNITS: RowMaker = {
  table: 'business_unit_memberships',
  sql: `INSERT INTO business_unit_memberships (id, user_id, company_id, business_unit_id, created_at)
    SELECT ${idOf('unitMembership', 'n')}, ${idOf('user', 'n')},
      CASE WHEN n % 10 = 0 THEN ${LARGE_COMPANY} ELSE ${idOf('company', '1 + n / 200')} END,
      CASE WHEN n % 10 = 0 THEN ${LARGE_UNIT} ELSE ${idOf('unit', '1 + n / 200')} END,
      at - interval '400 days' + n * interval '30 seconds'
    FROM ${numbers(1)} WHERE n % 20 IN (0, 1)`,
};

const ofMemberships = (table: string, columns: string, values: string, more = ''): RowMaker => ({
  table,
  sql: `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${numbers(1)}${more} WHERE n % 10 = 0 OR n % 2 = 1`,
});

const GRANTS: readonly RowMaker[] = [
  ofMemberships(
    'membership_module_grants',
    'membership_id, module_key',
    `${idOf('membership', 'n')}, module`,
    ", unnest(ARRAY['billing', 'events']) AS module",
  ),
  ofMemberships(
    'membership_permissions',
    'membership_id, permission_key',
    `${idOf('membership', 'n')}, 'events.read'`,
  ),
  ofMemberships('membership_delegations', 'membership_id', idOf('membership', 'n')),
  ofMemberships(
    'membership_module_rules',
    'id, membership_id, module_key, effect, source',
    `${idOf('rule', 'n')}, ${idOf('membership', 'n')}, 'billing', 'GRANT', 'MEMBER'`,
  ),
];

const INVITATIONS: RowMaker = {
  table: 'invitations',
  sql: `INSERT INTO invitations (id, company_id, email, status, invited_by_user_id, token_digest, delegation,
      expires_at, accepted_at, created_at)
    SELECT ${idOf('invitation', 'n')}, CASE WHEN n % 10 = 0 THEN ${LARGE_COMPANY} ELSE ${idOf('company', '1 + n / 200')} END,
      'guest' || n || '@example.com', CASE WHEN n % 3 = 0 THEN 'PENDING' ELSE 'ACCEPTED' END,
      ${idOf('user', '10 * (1 + n / 20)')}, bench.digest('invitation', n),
      '{"canManageUsers":false,"canBuyAddons":false,"grantableModules":[],"grantablePermissions":[]}', at + interval '7 days',
      CASE WHEN n % 3 <> 0 THEN at END, at - interval '400 days' + n * interval '30 seconds'
    FROM ${numbers(1)} WHERE n % 2 = 0 AND 10 * (1 + n / 20) <= $2`,
};

const tokens = (table: string): RowMaker => ({
  table,
  sql: `INSERT INTO ${table} (id, user_id, token_digest, expires_at, used_at, created_at)
    SELECT ${idOf('token', 'n')}, ${idOf('user', 'n')}, bench.digest('${table}', n), at + interval '1 day',
      CASE WHEN n % 5 > 0 THEN at END, at - interval '400 days' + n * interval '30 seconds'
    FROM ${numbers(1)} WHERE n % 4 = 1`,
});

const PASSKEYS: RowMaker = {
  table: 'passkey_credentials',
  sql: `INSERT INTO passkey_credentials (id, user_id, credential_id, public_key, device_type, backed_up, name, created_at)
    SELECT ${idOf('passkey', 'n')}, ${idOf('user', 'n')}, encode(bench.digest('passkey', n), 'base64'),
      bench.digest('public', n) || bench.digest('key', n), 'multiDevice', true, 'Phone',
      at - interval '400 days' + n * interval '30 seconds'
    FROM ${numbers(1)} WHERE n % 4 = 1`,
};

// Nearly all mail is sent; the worker must not read those rows.
const MAIL: RowMaker = {
  table: 'mail_outbox',
  sql: `INSERT INTO mail_outbox (id, kind, recipient, payload, status, sent_at, created_at, next_attempt_at, last_error)
    SELECT ${idOf('mail', 'n')}, 'password_changed', 'person' || n || '@example.com', '{}', status,
      CASE WHEN status = 'SENT' THEN created END, created, created, CASE WHEN status <> 'SENT' AND n % 2 = 0 THEN 'refused' END
    FROM ${numbers(1)}, LATERAL (
      SELECT CASE n % 10000 WHEN 9997 THEN 'PENDING' WHEN 9998 THEN 'DEAD' ELSE 'SENT' END AS status,
        at - interval '400 days' + n * interval '30 seconds' AS created) AS made`,
};

// Nearly all revocations are older than any access token.
const REVOCATIONS: RowMaker = {
  table: 'revocations',
  sql: `INSERT INTO revocations (id, session_id, transaction_id, created_at)
    SELECT ${idOf('revocation', 'n')}, ${idOf('session', 'n')}, (3 + n % 500)::text::xid8,
      at - interval '400 days' + n * interval '30 seconds'
    FROM ${numbers(1)} WHERE n % 2 = 0`,
};

/** Two queues of about equal work, for two connections. */
export const ROW_MAKERS: readonly (readonly RowMaker[])[] = [
  [AUDIT, USERS, MAIL, REVOCATIONS],
  [
    SESSIONS,
    MEMBERSHIPS,
    UNITS,
    ...GRANTS,
    INVITATIONS,
    tokens('password_reset_tokens'),
    tokens('email_verification_tokens'),
    PASSKEYS,
  ],
];
