import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { unobserved } from '../../packages/core/src/kernel/observer.js';
import { PasswordHasher } from '../../packages/core/src/passwords/password-hasher.js';
import { ARGON2 } from './argon2.js';

/** Inserts approved users with the same password and returns their emails. */
export async function seedUsers(client: pg.Client, count: number, password: string): Promise<string[]> {
  const hasher = await PasswordHasher.start({ ...ARGON2, workers: 1, observer: unobserved });
  const hash = await hasher.hash(password);
  await hasher.close();
  const emails = Array.from({ length: count }, (_, index) => `user${index}@example.com`);
  await client.query(
    `INSERT INTO users (id, email, password_hash, approval_status, is_active)
     SELECT gen_random_uuid(), email, $2, 'APPROVED', true FROM unnest($1::text[]) AS email`,
    [emails, hash],
  );
  return emails;
}

/** Makes users members of a new company, with two modules, and returns the id of the company. */
export async function seedCompany(
  client: pg.Client,
  emails: readonly string[],
  role = 'MEMBER',
): Promise<string> {
  const companyId = randomUUID();
  await client.query(
    `WITH members AS (
       INSERT INTO company_memberships (id, user_id, company_id, role)
       SELECT gen_random_uuid(), id, $1, $3 FROM users WHERE email = ANY($2::text[]) RETURNING id
     ), granted AS (
       INSERT INTO membership_module_grants (membership_id, module_key)
       SELECT id, module FROM members, unnest(ARRAY['billing', 'events']) AS module
     )
     INSERT INTO membership_module_rules (id, membership_id, module_key, effect, source)
     SELECT gen_random_uuid(), id, module, 'GRANT', 'MEMBER' FROM members, unnest(ARRAY['billing', 'events']) AS module`,
    [companyId, emails, role],
  );
  return companyId;
}

/** Defines so many roles of a company, named `ROLE_1` and so on. */
export async function seedRoles(client: pg.Client, companyId: string, count: number): Promise<void> {
  await client.query(
    `INSERT INTO company_roles (id, company_id, key, name, modules, permissions, delegation)
     SELECT gen_random_uuid(), $1, 'ROLE_' || value, 'Role ' || value, '{billing,events}', '{invoices:approve}',
       '{"canManageUsers":false,"canBuyAddons":false,"grantableModules":[],"grantablePermissions":[]}'
     FROM generate_series(1, $2::int) AS value`,
    [companyId, count],
  );
  await client.query('ANALYZE company_roles');
}

/** Creates the rows that the minimal refresh updates and returns their ids. */
export async function seedMinimalRefresh(client: pg.Client, count: number): Promise<number[]> {
  await client.query(
    'CREATE TABLE bench_refresh (id int PRIMARY KEY, generation int NOT NULL, secret text) WITH (fillfactor = 70)',
  );
  await client.query(
    'INSERT INTO bench_refresh SELECT value, 0, $2 FROM generate_series(1, $1::int) AS value',
    [count, randomUUID()],
  );
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Creates the tables that the minimal sign-in and registration write to, unless they exist. */
export async function createMinimalTables(client: pg.Client): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS bench_sign_in (id uuid PRIMARY KEY, user_id uuid NOT NULL, secret bytea NOT NULL)',
  );
  await client.query(
    'CREATE TABLE IF NOT EXISTS bench_registration (id uuid PRIMARY KEY, email text NOT NULL UNIQUE, password_hash text, full_name text)',
  );
}
