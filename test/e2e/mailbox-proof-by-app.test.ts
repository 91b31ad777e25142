import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { AuthenticatorApp } from '../support/authenticator-app.js';

let kit: TestAuth;
let sql: pg.Pool;
const OPERATOR = { kind: 'operator', name: 'tests' } as const;
const PASSWORD = 'a password of another person';

beforeAll(async () => {
  kit = await createTestAuth({ databaseUrl: inject('postgres').url });
  sql = new pg.Pool({ connectionString: kit.databaseUrl, max: 1 });
  kit.onClose(() => sql.end());
});
afterAll(() => kit.close());

/** A registration whose mailbox is not proved, with all that another person can set up. */
async function squatted() {
  const user = await kit.user({ password: PASSWORD });
  await sql.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [user.id]);
  const caller = await kit.auth.authenticator.authenticate(user.accessToken);
  const begun = await kit.auth.factors?.own.begin(caller);
  const app = new AuthenticatorApp(begun?.secret ?? '');
  await kit.auth.factors?.own.confirm(caller, begun?.id ?? '', app.next());
  return user;
}

const begin = (userId: string, more: { provesMailbox?: boolean } = {}) =>
  kit.auth.signIn.begin({ userId, method: 'mailed link', amr: ['otp'], ...more });

const signIn = ({ email }: { email: string }) =>
  kit.auth.login.withPassword({ email, password: PASSWORD }).then(
    () => 'signed in',
    (error: unknown) => (AuthError.is(error) ? error.code : error),
  );

const verifiedAt = async (userId: string) => (await kit.auth.admin.users.get(userId)).emailVerifiedAt;

const detailsOf = async (userId: string, event: string) =>
  (
    await sql.query<{ details: Record<string, unknown> }>(
      'SELECT details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = $2 ORDER BY occurred_at, id',
      [userId, event],
    )
  ).rows.map(({ details }) => details);

describe('a proof of the mailbox by the app', () => {
  it('ends what another person may have set up, if it is the first one', async () => {
    const user = await squatted();
    const result = await begin(user.id, { provesMailbox: true });
    const { accessToken } = result as { accessToken: string };
    expect(await verifiedAt(user.id)).toBeDefined();
    expect(await kit.auth.authenticator.authenticate(accessToken)).toMatchObject({ userId: user.id });
    await expect(kit.auth.authenticator.authenticate(user.accessToken)).rejects.toThrow(AuthError);
    await expect(kit.auth.refresh.refresh(user.refreshToken)).rejects.toThrow(AuthError);
    expect(await signIn(user)).toBe('unauthorized');
    const left = await kit.auth.admin.factors.ofUser(user.id);
    expect(left).toMatchObject({ factors: [], recoveryCodesLeft: 0 });
    expect(await detailsOf(user.id, 'email_verified')).toEqual([{ method: 'mailed link' }]);
    expect(await detailsOf(user.id, 'password_changed')).toMatchObject([{ removedApps: 1 }]);
  });

  it('changes nothing, if the mailbox was proved before', async () => {
    const user = await kit.user({ password: PASSWORD });
    await sql.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id]);
    expect(await begin(user.id, { provesMailbox: true })).toHaveProperty('accessToken');
    expect(await signIn(user)).toBe('signed in');
    expect(await kit.auth.authenticator.authenticate(user.accessToken)).toMatchObject({ userId: user.id });
  });

  it('is none unless the app says so', async () => {
    const user = await squatted();
    expect(await begin(user.id)).toHaveProperty('secondFactor');
    expect(await verifiedAt(user.id)).toBeUndefined();
    expect(await kit.auth.authenticator.authenticate(user.accessToken)).toMatchObject({ userId: user.id });
  });

  it('leaves the account of platform staff as it is', async () => {
    const user = await squatted();
    await sql.query(`UPDATE users SET global_role = 'PLATFORM_MODERATOR' WHERE id = $1`, [user.id]);
    expect(await begin(user.id, { provesMailbox: true })).toHaveProperty('secondFactor');
    expect(await verifiedAt(user.id)).toBeUndefined();
  });

  it('enables a user who waits for it where the proof is required', async () => {
    await using strict = await createTestAuth({
      databaseUrl: inject('postgres').url,
      settings: { EMAIL_VERIFICATION: 'required' },
    });
    const fields = { email: 'waiting@example.com', approvalStatus: 'APPROVED', isActive: true } as const;
    const { id } = await strict.auth.admin.users.create(OPERATOR, fields);
    const database = new pg.Client({ connectionString: strict.databaseUrl });
    await database.connect();
    await database.query('UPDATE users SET email_verified_at = NULL');
    await database.end();
    const proof = { userId: id, method: 'mailed link', amr: ['otp'] } as const;
    await expect(strict.auth.signIn.begin(proof)).rejects.toThrow(AuthError);
    expect(await strict.auth.signIn.begin({ ...proof, provesMailbox: true })).toHaveProperty('accessToken');
  });

  it('of two at the same time one signs in, and the other finds a changed account', async () => {
    const user = await squatted();
    const results = await Promise.allSettled([1, 2].map(() => begin(user.id, { provesMailbox: true })));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as AuthError).reason)).toEqual([
      'account_changed_during_sign_in',
    ]);
    expect(await detailsOf(user.id, 'email_verified')).toHaveLength(1);
  });
});
