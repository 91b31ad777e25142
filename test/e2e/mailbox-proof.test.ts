import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const CONFLICT = { status: 409, code: 'conflict' };
const NEW_PASSWORD = 'another horse, another battery';

let service: TestService;
let invitations: InvitationClient;
let operators: OperatorClient;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
  invitations = await InvitationClient.open(service);
  operators = new OperatorClient(service);
});
afterAll(() => service.stop());

/** Registers a user and approves them: nothing has proved their mailbox. */
async function registered(email = freshEmail()): Promise<TestUser> {
  const body = { email, password: PASSWORD, fullName: 'Ada Lovelace' };
  expect((await service.api('POST', '/auth/register', { body })).status).toBe(201);
  await service.mailTo(email);
  const [row] = await invitations.usersWith(email);
  const id = String(row?.id);
  const patch = { body: { approvalStatus: 'APPROVED', isActive: true } };
  expect((await service.machine('PATCH', `/internal/admin/users/${id}`, patch)).status).toBe(200);
  return { id, email, fullName: 'Ada Lovelace', password: PASSWORD };
}

const detail = async (id: string) => (await service.machine('GET', `/internal/admin/users/${id}`)).data;

/** Requests a reset and confirms it with the link that was sent. */
async function resetPassword(email: string): Promise<void> {
  const links = () => service.mailsTo(email).filter(({ token }) => token.startsWith('lkp_'));
  const before = links().length;
  await service.api('POST', '/auth/password-reset/request', { body: { email } });
  const { token } = await waitUntil(() => links()[before], { what: `a reset link for ${email}` });
  const confirmed = await service.api('POST', '/auth/password-reset/confirm', {
    body: { token, newPassword: NEW_PASSWORD },
  });
  expect(confirmed.status, confirmed.text).toBe(200);
}

describe('the mailbox of a user', () => {
  it('a mailbox is not proved by a registration, its approval or a password that an operator sets', async () => {
    const { id } = await registered();
    const set = await operators.run(['users', 'set-password', id, '--yes', '--password-stdin'], NEW_PASSWORD);
    expect(set.code, set.stderr).toBe(0);
    expect(await detail(id)).not.toHaveProperty('emailVerifiedAt');
    const { token } = await mintTokens(service, id);
    expect((await service.api('GET', '/auth/me', { token })).data).not.toHaveProperty('emailVerifiedAt');
  });

  it('a mailbox is proved for a user created by staff, a machine or an operator', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const made = [
      await service.api('POST', '/internal/users', { token: staff.token, body: { email: freshEmail() } }),
      await service.machine('POST', '/internal/admin/users', { body: { email: freshEmail() } }),
    ];
    for (const { status, data } of made) expect([status, data.emailVerifiedAt]).toEqual([201, INSTANT]);
    const byOperator = await operators.json<{ emailVerifiedAt: string }>([
      'users',
      'create',
      '--email',
      freshEmail(),
    ]);
    expect(byOperator.emailVerifiedAt).toEqual(INSTANT);
  });

  it('a mailbox is proved by an accepted invitation: of a new user, and of a user who holds the token', async () => {
    const { email, token } = await invitations.invite();
    const accepted = await invitations.accept({ token, password: PASSWORD });
    const me = await service.api('GET', '/auth/me', { token: accepted.data.accessToken });
    expect(me.data).toMatchObject({ email, emailVerifiedAt: INSTANT });

    const user = await registered();
    const own = await mintTokens(service, user.id);
    const invited = await invitations.invite({ email: user.email });
    expect((await invitations.accept({ token: invited.token }, own.token)).status).toBe(200);
    expect(await detail(user.id)).toMatchObject({ emailVerifiedAt: INSTANT });
  });

  it('a mailbox is proved by a confirmed reset; the first proof stays', async () => {
    const user = await registered();
    await resetPassword(user.email);
    const first = (await detail(user.id)).emailVerifiedAt;
    expect(first).toEqual(INSTANT);
    await resetPassword(user.email);
    expect((await detail(user.id)).emailVerifiedAt).toBe(first);
  });

  it('a mailbox is proved by the machine that sets a new address, not by one that repeats it', async () => {
    const { id, email } = await registered();
    const patch = (body: object) => service.machine('PATCH', `/internal/admin/users/${id}`, { body });
    expect((await patch({ email, fullName: 'Grace' })).data).not.toHaveProperty('emailVerifiedAt');
    expect((await patch({ email: freshEmail() })).data).toMatchObject({ emailVerifiedAt: INSTANT });
    await service.sql(`UPDATE users SET email_verified_at = '2020-01-01' WHERE id = $1`, [id]);
    const { data } = await patch({ email: freshEmail() });
    expect(String(data.emailVerifiedAt) > '2021').toBe(true);
  });

  it('the proof of a mailbox is shown to approvers', async () => {
    const [stranger, known] = [await registered(), await service.createUser()];
    const listed = await service.machine(
      'GET',
      `/internal/admin/users?search=${encodeURIComponent(stranger.email)}`,
    );
    expect(listed.items[0]).not.toHaveProperty('emailVerifiedAt');
    expect((await operators.details(['users', 'show', stranger.id]))['mailbox proved']).toBe('');
    expect((await operators.details(['users', 'show', known.id]))['mailbox proved']).toEqual(INSTANT);
  });
});

describe('an invitation of an account with an unverified mailbox', () => {
  it('an unverified account cannot accept by the token alone, and the error says what to do', async () => {
    const user = await registered();
    const { id, token } = await invitations.invite({ email: user.email, role: 'ADMIN' });
    for (const body of [{ token }, { token, password: NEW_PASSWORD }]) {
      const answer = await invitations.accept(body);
      expect(answer).toMatchObject(CONFLICT);
      expect(answer.message).toContain('reset the password');
    }
    expect(await invitations.membershipsOf(user.email)).toEqual([]);
    expect(await detail(user.id)).not.toHaveProperty('emailVerifiedAt');
    expect((await invitations.get(id)).data).toMatchObject({ status: 'PENDING' });
  });

  it('an unverified account can accept after a reset, which ends what the registrant has opened', async () => {
    const user = await registered();
    const registrant = await service.signIn(user);
    const { token } = await invitations.invite({ email: user.email });
    await resetPassword(user.email);
    expect((await invitations.accept({ token })).status).toBe(200);
    const me = await service.api('GET', '/auth/me', { token: registrant.accessToken });
    expect(me).toMatchObject({ status: 401 });
  });

  it('an unverified account can accept when it is signed in', async () => {
    const user = await registered();
    const { accessToken } = await service.signIn(user);
    const { token } = await invitations.invite({ email: user.email });
    expect((await invitations.accept({ token }, accessToken)).status).toBe(200);
    expect(await invitations.membershipsOf(user.email)).toMatchObject([{ is_active: true }]);
  });

  it('an unverified account learns that it is a member already, or why it cannot sign in', async () => {
    const user = await registered();
    const { token } = await invitations.invite({ email: user.email });
    await service.sql(`UPDATE users SET approval_status = 'PENDING' WHERE id = $1`, [user.id]);
    expect(await invitations.accept({ token })).toMatchObject({ status: 403, code: 'pending_approval' });
    await service.sql(`UPDATE users SET approval_status = 'APPROVED' WHERE id = $1`, [user.id]);
    await insertMembership(service.sql, { userId: user.id, companyId: invitations.company });
    expect(
      (await invitations.accept({ token }, (await mintTokens(service, user.id)).token)).message,
    ).toContain('member');
  });
});

it('an account whose mailbox was proved accepts by the token alone', async () => {
  const user = await service.createUser({ email: `known-${randomUUID()}@example.com` });
  const { token } = await invitations.invite({ email: user.email });
  expect((await invitations.accept({ token })).status).toBe(200);
});
