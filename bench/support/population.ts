import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { PresentedToken } from '../../packages/core/src/sessions/session-repository.js';

/** One of the seeded users, with its related rows. */
export interface Population {
  userId: string;
  email: string;
  sessionId: string;
  companyId: string;
  businessUnitId: string;
  membershipIds: string[];
  invitationToken: Buffer;
  resetToken: Buffer;
  token: PresentedToken;
}

interface Sample {
  user_id: string;
  email: string;
  id: string;
  selector_digest: Buffer;
  secret_digest: Buffer;
}

const SEED_USERS = `
  INSERT INTO users (id, email, full_name, approval_status, is_active, global_role, created_at)
  SELECT gen_random_uuid(), 'person' || n || '@example.com', 'Person ' || n,
    CASE WHEN n % 1000 = 0 THEN 'PENDING' ELSE 'APPROVED' END, n % 500 <> 0,
    CASE WHEN n % 50000 = 1 THEN 'PLATFORM_ADMIN' ELSE 'NONE' END, now() - n * interval '1 second'
  FROM generate_series(1, $1::int) AS n`;

// One in three sessions is revoked, as after some weeks of use.
const SEED_SESSIONS = `
  INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, created_at, expires_at,
    is_revoked, revoked_at, revoke_reason)
  SELECT gen_random_uuid(), u.id, sha256(convert_to('selector' || n, 'UTF8')), sha256(convert_to('secret' || n, 'UTF8')),
    'password', '{pwd}', now() - n * interval '1 second', now() + interval '14 days', n % 3 = 0,
    CASE WHEN n % 3 = 0 THEN now() END, CASE WHEN n % 3 = 0 THEN 'logout' END
  FROM generate_series(1, $1::int) AS n
  JOIN (SELECT id, row_number() OVER () AS position FROM users) u ON u.position = 1 + n % $2::int`;

// Half of the users belong to a company of a hundred, one in ten of those also to a business unit.
const SEED_MEMBERSHIPS = `
  WITH members AS (
    INSERT INTO company_memberships (id, user_id, company_id, role)
    SELECT gen_random_uuid(), id, md5('company' || position / 100)::uuid, 'MEMBER'
    FROM (SELECT id, row_number() OVER () AS position FROM users) u WHERE position % 2 = 0
    RETURNING id, user_id, company_id
  ), granted AS (
    INSERT INTO membership_module_grants (membership_id, module_key)
    SELECT id, module FROM members, unnest(ARRAY['billing', 'events']) AS module
  ), permitted AS (
    INSERT INTO membership_permissions (membership_id, permission_key) SELECT id, 'events.read' FROM members
  )
  INSERT INTO membership_delegations (membership_id) SELECT id FROM members`;

const SEED_UNITS = `
  INSERT INTO business_unit_memberships (id, user_id, company_id, business_unit_id)
  SELECT gen_random_uuid(), user_id, company_id, md5(company_id::text)::uuid
  FROM company_memberships WHERE id < '1a000000-0000-0000-0000-000000000000'`;

const SEED_RULES = `
  INSERT INTO membership_module_rules (id, membership_id, module_key, effect, source)
  SELECT gen_random_uuid(), id, 'billing', 'GRANT', 'MEMBER' FROM company_memberships`;

const SEED_INVITATIONS = `
  INSERT INTO invitations (id, company_id, email, token_digest, expires_at, created_at)
  SELECT gen_random_uuid(), md5('company' || n / 100)::uuid, 'guest' || n || '@example.com',
    sha256(convert_to('invitation' || n, 'UTF8')), now() + interval '7 days', now() - n * interval '1 second'
  FROM generate_series(1, $1::int) AS n`;

const SEED_RESETS = `
  INSERT INTO password_reset_tokens (id, user_id, token_digest, expires_at)
  SELECT gen_random_uuid(), id, sha256(convert_to(email, 'UTF8')), now() + interval '30 minutes' FROM users`;

const SEED_VERIFICATIONS = `
  INSERT INTO email_verification_tokens (id, user_id, token_digest, expires_at)
  SELECT gen_random_uuid(), id, sha256(convert_to(email, 'UTF8')), now() + interval '1 day' FROM users`;

// Nearly all mail is sent; the worker must not read those rows.
const SEED_MAIL = `
  INSERT INTO mail_outbox (id, kind, recipient, payload, status, sent_at)
  SELECT gen_random_uuid(), 'password_changed', email, '{}', CASE WHEN n % 10000 = 0 THEN 'PENDING' ELSE 'SENT' END,
    CASE WHEN n % 10000 <> 0 THEN now() END
  FROM (SELECT email, row_number() OVER () AS n FROM users) AS people`;

const SEED_AUDIT = `
  INSERT INTO auth_audit_logs (id, occurred_at, event, outcome, actor, actor_user_id, subject_user_id, company_id, session_id)
  SELECT gen_random_uuid(), created_at, 'login', 'success', 'user', user_id, user_id,
    CASE WHEN get_byte(uuid_send(id), 0) < 64 THEN md5('company' || get_byte(uuid_send(id), 1))::uuid END, id
  FROM sessions`;

export async function seedPopulation(
  client: pg.Client,
  users: number,
  sessions: number,
): Promise<Population> {
  await client.query(SEED_USERS, [users]);
  await client.query(SEED_SESSIONS, [sessions, users]);
  await client.query(SEED_MEMBERSHIPS);
  await client.query(SEED_UNITS);
  await client.query(SEED_RULES);
  await client.query(SEED_INVITATIONS, [users]);
  await client.query(SEED_RESETS);
  await client.query(SEED_VERIFICATIONS);
  await client.query(SEED_MAIL);
  await client.query(SEED_AUDIT);
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query<Sample>(
    `SELECT s.id, s.user_id, u.email, s.selector_digest, s.secret_digest
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE NOT s.is_revoked AND u.is_active AND u.approval_status = 'APPROVED' LIMIT 1`,
  );
  const [sample] = rows;
  if (!sample) throw new Error('no user with an active session was seeded');
  return {
    userId: sample.user_id,
    email: sample.email,
    sessionId: sample.id,
    ...(await sampleCompany(client)),
    invitationToken: createHash('sha256').update('invitation4711').digest(),
    resetToken: createHash('sha256').update(sample.email).digest(),
    token: {
      selectorDigest: sample.selector_digest,
      generation: 0,
      secretDigest: sample.secret_digest,
      isGenuine: true,
    },
  };
}

async function sampleCompany(
  client: pg.Client,
): Promise<Pick<Population, 'companyId' | 'businessUnitId' | 'membershipIds'>> {
  const { rows } = await client.query<{ company_id: string; business_unit_id: string; ids: string[] }>(
    `SELECT b.company_id, b.business_unit_id,
       ARRAY(SELECT m.id FROM company_memberships m WHERE m.company_id = b.company_id) AS ids
     FROM business_unit_memberships b LIMIT 1`,
  );
  const [row] = rows;
  if (!row) throw new Error('no business unit was seeded');
  return { companyId: row.company_id, businessUnitId: row.business_unit_id, membershipIds: row.ids };
}
