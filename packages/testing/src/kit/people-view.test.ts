import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { operate } from '../../../../test/support/operations.js';
import { createTestAuth } from './create-test-auth.js';
import type { TestAuth } from './test-auth.js';

const ACTOR = { kind: 'operator', name: 'test' } as const;

/** The row of a user in the view, beside the id, once nothing else is left. */
const ERASED = { email: null, full_name: null, is_active: false, deleted_at: expect.any(Date) as Date };

let kit: TestAuth;
let pool: pg.Pool;

beforeAll(async () => {
  kit = await createTestAuth({
    databaseUrl: inject('postgres').url,
    schema: 'latchkey',
    settings: { REGISTRATION_APPROVAL: 'verified' },
  });
  pool = new pg.Pool({ connectionString: kit.databaseUrl });
  kit.onClose(() => pool.end());
  await pool.query(`CREATE SCHEMA app;
    CREATE TABLE app.profiles (user_id uuid PRIMARY KEY REFERENCES latchkey.users (id))`);
});
afterAll(() => kit.close());

const personOf = async (id: string): Promise<unknown> =>
  (await pool.query('SELECT * FROM latchkey.latchkey_people WHERE id = $1', [id])).rows[0];

const idOf = async (email: string): Promise<string> => (await kit.auth.admin.users.getByEmail(email)).id;

const profileFor = (id: string) => pool.query('INSERT INTO app.profiles VALUES ($1)', [id]);

/** Registers an address, refers to the user by a row of the app, and returns the secret of the second link. */
async function registered(email: string): Promise<{ id: string; rejection: string }> {
  await kit.auth.registration.register({ email, password: 'a fine long password', fullName: 'Ada' });
  const { tokens } = await kit.mail.waitFor(email, undefined, { timeout: 120_000 });
  const id = await idOf(email);
  await profileFor(id);
  return { id, rejection: tokens[1] ?? '' };
}

describe('the view of people', () => {
  it('the view has exactly the documented columns, with their types', async () => {
    const { rows } = await pool.query(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_name = 'latchkey_people' ORDER BY ordinal_position`,
    );
    expect(rows).toEqual([
      { name: 'id', type: 'uuid' },
      { name: 'email', type: 'text' },
      { name: 'full_name', type: 'text' },
      { name: 'is_active', type: 'boolean' },
      { name: 'deleted_at', type: 'timestamp with time zone' },
    ]);
  });

  it('a role that may read only the view sees people, and no hashes', async () => {
    const { id, email, fullName } = await kit.user();
    const client = await pool.connect();
    await client.query(`CREATE ROLE people_reader_of_this_test;
      GRANT USAGE ON SCHEMA latchkey TO people_reader_of_this_test;
      GRANT SELECT ON latchkey.latchkey_people TO people_reader_of_this_test`);
    try {
      await client.query('SET ROLE people_reader_of_this_test');
      const { rows } = await client.query('SELECT * FROM latchkey.latchkey_people WHERE id = $1', [id]);
      expect(rows).toEqual([{ id, email, full_name: fullName, is_active: true, deleted_at: null }]);
      await expect(client.query('SELECT * FROM latchkey.users')).rejects.toThrow('permission denied');
    } finally {
      await client.query(`RESET ROLE; DROP OWNED BY people_reader_of_this_test;
        DROP ROLE people_reader_of_this_test`);
      client.release();
    }
  });
});

describe('a user who is named by a row of the app', () => {
  it('a registration is deleted by its second link: the row in the view stays, without address and name', async () => {
    const email = 'not-me@example.com';
    const { id, rejection } = await registered(email);
    expect(await kit.auth.emailVerification.reject({ token: rejection })).toEqual({ status: 'ok' });
    expect(await personOf(id)).toEqual({
      id,
      email: null,
      full_name: null,
      is_active: false,
      deleted_at: expect.any(Date) as Date,
    });
    // The address is free again, for another user.
    expect((await registered(email)).id).not.toBe(id);
  });

  it('a user is erased, and the row in the view stays', async () => {
    const { id } = await kit.user();
    await profileFor(id);
    await kit.auth.admin.erasure.erase(ACTOR, id, 'request 4711');
    expect(await personOf(id)).toMatchObject({ id, email: null, full_name: null, is_active: false });
  });

  it.each<[string, (id: string) => Promise<unknown>, object]>([
    [
      'rejected by staff',
      (id) => kit.auth.admin.users.patch(ACTOR, id, { approvalStatus: 'REJECTED' }),
      { email: 'kept', full_name: 'Ada', is_active: false, deleted_at: null },
    ],
    [
      'deactivated',
      (id) => kit.auth.admin.users.deactivate(ACTOR, id),
      { email: 'kept', full_name: 'Ada', is_active: false, deleted_at: null },
    ],
    ['erased by an operator', (id) => kit.auth.admin.erasure.erase(ACTOR, id, 'request 4712'), ERASED],
    [
      'erased by a machine',
      (id) => kit.auth.admin.erasure.erase({ kind: 'machine', name: 'crm' }, id, 'request 4713'),
      ERASED,
    ],
  ])('a pending registration is %s, and its row in the view stays', async (_how, end, left) => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { id } = await registered(email);
    await end(id);
    const kept = 'email' in left && left.email === 'kept' ? { email } : {};
    expect(await personOf(id)).toEqual({ id, ...left, ...kept });
    const { rows } = await pool.query('SELECT user_id FROM app.profiles WHERE user_id = $1', [id]);
    expect(rows).toEqual([{ user_id: id }]);
  });

  it('the previous version can still delete a registration to which no row of the app refers', async () => {
    const email = 'former@example.com';
    await kit.auth.registration.register({ email, password: 'a fine long password', fullName: 'Ada' });
    const { rowCount } = await pool.query('DELETE FROM latchkey.users WHERE id = $1', [await idOf(email)]);
    expect(rowCount).toBe(1);
  });
});

describe('a deleted registration', () => {
  it('lists, searches, counts and names do not have it', async () => {
    const email = 'stranger@example.com';
    const { id, rejection } = await registered(email);
    const { users } = kit.auth.admin;
    const total = async () => (await users.list()).total;
    const before = await total();
    await kit.auth.emailVerification.reject({ token: rejection });
    expect(await total()).toBe(before - 1);
    expect((await users.list({ search: 'erased-' })).items).toEqual([]);
    const rejected = (await users.list({ approvalStatus: 'REJECTED' })).items;
    expect(rejected).not.toContainEqual(expect.objectContaining({ id }));
    expect((await users.list({ isActive: false })).items).not.toContainEqual(expect.objectContaining({ id }));
    expect(await users.findByPrefix('erased-', 5)).toEqual([]);
    expect(await users.findByPrefix(id.slice(0, 35), 5)).toEqual([]);
    expect(await users.emailsOf([id])).toEqual(new Map());
    await expect(users.getByEmail(email)).rejects.toMatchObject({ code: 'not_found' });
    expect(await users.get(id)).toMatchObject({ id, erasedAt: expect.any(String) as string });
  });

  it('nothing about it can be changed, and nothing of it is left', async () => {
    const { id, rejection } = await registered('changed@example.com');
    await kit.auth.memberships.upsertCompany(ACTOR, crypto.randomUUID(), { userId: id, role: 'MEMBER' });
    await kit.auth.emailVerification.reject({ token: rejection });
    const approved = kit.auth.admin.users.patch(ACTOR, id, { approvalStatus: 'APPROVED', isActive: true });
    await expect(approved).rejects.toMatchObject({ reason: 'user_erased' });
    const { rows } = await pool.query(
      `SELECT password_hash, email, (SELECT count(*)::int FROM company_memberships WHERE user_id = u.id)
         + (SELECT count(*)::int FROM email_verification_tokens WHERE user_id = u.id) AS belonging
       FROM users u WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ password_hash: null, email: `erased-${id}@erased.invalid`, belonging: 0 }]);
    await expect(kit.auth.emailVerification.reject({ token: rejection })).rejects.toMatchObject({
      reason: 'verification_token_invalid',
    });
  });
});

it('the clean-up removes no row of a user, however old a registration is', async () => {
  const email = 'waiting@example.com';
  const { id } = await registered(email);
  await kit.clock.advance('400d');
  await operate(kit.auth, ({ maintenance }) => maintenance.run({ keep: { audit: 366 * 86_400 } }));
  expect(await personOf(id)).toMatchObject({ id, email, deleted_at: null });
});
