import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { AuthError, type OwnRows } from '@latchkey/core';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { codeBlocks } from '../../tools/docs/code/page.js';
import { runExample } from '../support/docstrings/example-run.js';

const MACHINE = { kind: 'machine', name: 'test' } as const;

const text = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
const recipe =
  codeBlocks({ file: 'docs/embedding.md', text }).find(({ code }) => code.includes('within:'))?.code ?? '';

let kit: TestAuth;
let pool: pg.Pool;

beforeAll(async () => {
  const createAuth = async (_settings: unknown, { within }: { within: OwnRows }) => {
    kit = await createTestAuth({ databaseUrl: inject('postgres').url, schema: 'latchkey', within });
    return kit.auth;
  };
  await runExample(recipe, { AuthError, createAuth, settings: {} });
  pool = new pg.Pool({ connectionString: kit.databaseUrl });
  kit.onClose(() => pool.end());
  await pool.query(`CREATE SCHEMA app;
    CREATE TABLE app.profiles (user_id uuid PRIMARY KEY REFERENCES latchkey.users (id));
    CREATE TABLE app.companies (id uuid PRIMARY KEY, seats_left int NOT NULL)`);
});
afterAll(() => kit.close());

async function companyWith(seats: number): Promise<string> {
  const id = crypto.randomUUID();
  await pool.query('INSERT INTO app.companies VALUES ($1, $2)', [id, seats]);
  return id;
}

const seatsOf = async (company: string): Promise<unknown> =>
  (await pool.query('SELECT seats_left FROM app.companies WHERE id = $1', [company])).rows[0];

const join = (company: string, userId: string) =>
  kit.auth.memberships.upsertCompany(MACHINE, company, { userId });

it('the recipe for own rows adds a profile to each registration', async () => {
  const email = 'ann@example.com';
  await kit.auth.registration.register({ email, password: 'a long walk home', fullName: 'Ann' });
  const { id } = await kit.auth.admin.users.getByEmail(email);
  expect((await pool.query('SELECT user_id FROM app.profiles')).rows).toEqual([{ user_id: id }]);
});

it('the recipe for own rows gives no more seats than there are, to simultaneous joins either', async () => {
  const company = await companyWith(2);
  const users = [];
  // One after the other: passwords that wait too long for a thread are refused, and the joins are what is tested.
  for (let each = 0; each < 5; each++) users.push(await kit.user());
  const outcomes = await Promise.allSettled(users.map(({ id }) => join(company, id)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'app.no_seats' });
  }
  expect(await seatsOf(company)).toEqual({ seats_left: 0 });
});

it('the recipe for own rows counts the seats of invitations, and lets members change and leave', async () => {
  const company = await companyWith(1);
  const { id, accessToken } = await kit.user();
  await join(company, id);
  await kit.auth.memberships.upsertCompany(MACHINE, company, { userId: id, role: 'TENANT_SUPERADMIN' });
  const caller = await kit.auth.authenticator.authenticateWithMemberships(accessToken);
  const invited = 'bob@example.com';
  await kit.auth.invitations.create(caller, company, { email: invited, role: 'MEMBER' });
  const token = (await kit.mail.waitFor(invited, 'invitation')).token ?? '';
  const accepting = kit.auth.invitationAcceptance.accept({
    token,
    password: 'a long walk home',
    fullName: 'Bob',
  });
  await expect(accepting).rejects.toMatchObject({ code: 'conflict', reason: 'app.no_seats' });
  await expect(kit.auth.admin.users.getByEmail(invited)).rejects.toMatchObject({ code: 'not_found' });
  await kit.auth.memberships.upsertCompany(MACHINE, company, { userId: id, isActive: false });
});
