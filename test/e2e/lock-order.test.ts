import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { LockRecorder } from '../support/lock-recorder.js';
import { openConnection } from '../support/open-connection.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { TestCompany } from '../support/test-company.js';
import { PASSWORD } from '../support/test-users.js';

let service: TestService;
const recorder = new LockRecorder();

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  recorder.start();
});
afterAll(async () => {
  recorder.stop();
  await service.stop();
});

const succeed = async (call: Promise<{ status: number; text: string }>): Promise<void> => {
  const answer = await call;
  expect(answer.status, answer.text).toBeLessThan(300);
};

/** Sessions: every way to open one, to rotate it and to end it. */
async function useSessions(company: TestCompany): Promise<void> {
  const member = await company.member({});
  const { token } = member;
  const headers = { 'x-org': company.id };
  const { data } = await service.api('POST', '/auth/handoff/create', { token, headers });
  await succeed(service.api('POST', '/auth/handoff/exchange', { body: { code: data.code } }));
  const user = await service.signedIn();
  const body = { refreshToken: user.refreshToken };
  await succeed(service.api('POST', '/auth/refresh', { body }));
  expect((await service.api('POST', '/auth/refresh', { body })).code).toBe('session_revoked');
  const [one, two] = [await service.signIn(user), await service.signIn(user)];
  await succeed(service.api('POST', '/auth/logout', { body: { refreshToken: one.refreshToken } }));
  await succeed(service.api('POST', '/auth/logout-others', { token: two.accessToken }));
  const change = { currentPassword: PASSWORD, newPassword: 'another long walk home' };
  await succeed(service.api('POST', '/auth/password/change', { token: two.accessToken, body: change }));
  const own = await service.api('GET', '/auth/sessions', { token: two.accessToken });
  await succeed(
    service.api('DELETE', `/auth/sessions/${String(own.items[0]?.id)}`, { token: two.accessToken }),
  );
  const other = await service.signedIn();
  const listed = await service.machine('GET', `/internal/admin/users/${other.id}/sessions`);
  await succeed(service.machine('POST', `/internal/sessions/${String(listed.items[0]?.id)}/revoke`));
  await succeed(service.machine('POST', `/internal/users/${other.id}/revoke-all`));
  await succeed(
    service.machine('PATCH', `/internal/admin/users/${other.id}`, { body: { globalRole: 'PLATFORM_ADMIN' } }),
  );
  await succeed(service.machine('DELETE', `/internal/admin/users/${other.id}`));
  const third = await service.signedIn();
  await succeed(service.api('POST', '/auth/logout-all', { token: third.accessToken }));
}

/** Memberships and their dependent rows. */
async function useMemberships(company: TestCompany): Promise<void> {
  const actor = await company.member({ unit: company.unit });
  const member = await company.member({ unit: company.unit });
  const headers = { 'x-actor-user-id': actor.id };
  const userId = member.id;
  const unit = `/business-units/${company.unit}`;
  await succeed(company.machine('POST', '/memberships', { userId, role: 'ADMIN' }));
  await succeed(company.machine('POST', `${unit}/memberships`, { userId }));
  const finance = { financeRole: 'APPROVER', isPrimaryFinanceAdmin: true };
  await succeed(company.machine('PATCH', `/finance-memberships/${userId}`, finance, headers));
  const approver = { financeRole: 'APPROVER', isPrimaryApprover: true };
  await succeed(company.machine('PATCH', `${unit}/finance-memberships/${userId}`, approver, headers));
  await succeed(company.machine('POST', '/memberships', { userId, isActive: false }));
}

async function useInvitations(): Promise<void> {
  const testClient = await InvitationClient.open(service);
  const newcomer = await testClient.invite();
  await succeed(testClient.accept({ token: newcomer.token, password: PASSWORD }));
  const guest = await service.createUser();
  const known = await testClient.invite({ email: guest.email });
  await succeed(testClient.resend(known.id));
  const { token } = await service.mailTo(guest.email, 2);
  await succeed(testClient.accept({ token }));
  const { id } = await testClient.invite();
  await succeed(testClient.cancel(id));
}

async function usePasswordsAndPasskeys(): Promise<void> {
  const testClient = new ResetClient(service);
  const user = await service.signedIn();
  const authenticator = new SoftwareAuthenticator();
  await succeed(registerPasskey(service, { token: user.accessToken, password: PASSWORD }, authenticator));
  await succeed(signInWithPasskey(service, authenticator));
  const token = await testClient.tokenFor(user.email);
  await succeed(testClient.confirm(token, 'another long walk home'));
}

/** The erasure of an administrator who has invited others. */
async function eraseUser(): Promise<void> {
  const testClient = await InvitationClient.open(service);
  await testClient.invite();
  const path = `/internal/admin/users/${testClient.admin.id}/personal-data`;
  await succeed(service.machine('DELETE', path, { body: { reason: 'request 4711' } }));
}

it('every write locks users first, then memberships and invitations, then sessions', async () => {
  const company = new TestCompany(service);
  await useSessions(company);
  await useMemberships(company);
  await useInvitations();
  await usePasswordsAndPasskeys();
  await eraseUser();
  expect(recorder.violations()).toEqual([]);
  // The recording is complete enough: the writes that take the most locks are in it.
  expect(recorder.sequences()).toEqual(
    expect.arrayContaining([
      'users > company_memberships > sessions',
      'users > sessions',
      'users > company_memberships > business_unit_memberships',
      'users > company_memberships > invitations',
      'users > company_memberships > invitations > sessions',
    ]),
  );
});

it('a lock against the order is seen, also one that only a foreign key takes', async () => {
  const before = recorder.violations().length;
  const user = await service.signedIn();
  const client = await openConnection(service.databaseUrl);
  try {
    await client.query('BEGIN');
    await client.query('SELECT id FROM sessions WHERE user_id = $1 FOR SHARE', [user.id]);
    // Takes a lock on the user by its foreign key alone.
    await client.query('INSERT INTO company_memberships (id, user_id, company_id) VALUES ($1, $2, $1)', [
      randomUUID(),
      user.id,
    ]);
    await client.query('ROLLBACK');
  } finally {
    await client.end();
  }
  expect(recorder.violations()).toHaveLength(before + 1);
});
