import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { overtaken } from '../support/overtaken.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD } from '../support/test-users.js';

const CONFLICT = { status: 409, code: 'conflict' };
const DELEGATION = {
  canManageUsers: true,
  grantableModules: ['wiki', 'events'],
  grantablePermissions: ['p'],
};

let service: TestService;
let testClient: InvitationClient;
let inviter: SignedInTestUser;
let superadmin: SignedInTestUser;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
  superadmin = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  testClient = await InvitationClient.open(service);
  inviter = await testClient.member({ role: 'TENANT_SUPERADMIN' });
});

const upsert = (userId: string, body: object) =>
  service.machine('POST', `/internal/admin/companies/${testClient.company}/memberships`, {
    body: { userId, ...body },
  });
const cancellations = (invitationId: string) =>
  service.sql(
    `SELECT actor, actor_user_id, company_id, details FROM auth_audit_logs
     WHERE event = 'invitation_cancelled' AND details->>'invitationId' = $1`,
    [invitationId],
  );

/** Ways to end a user's right to their offers; each writes to the database directly, past the service. */
const LOSSES: [string, string][] = [
  ['is deactivated', 'UPDATE users SET is_active = false WHERE id = $1'],
  ['has lost their approval', `UPDATE users SET approval_status = 'REJECTED' WHERE id = $1`],
  ['has left the company', 'UPDATE company_memberships SET is_active = false WHERE user_id = $1'],
  ['has a lower role', `UPDATE company_memberships SET role = 'ADMIN' WHERE user_id = $1`],
];

describe.each(LOSSES)('an invitation whose inviter %s', (_what, loss) => {
  it('an invitation whose inviter lost the right cannot be accepted by a new user', async () => {
    const { email, token, id } = await testClient.invite(
      { role: 'TENANT_SUPERADMIN' },
      testClient.as(inviter),
    );
    await service.sql(loss, [inviter.id]);
    const answer = await testClient.accept({ token, password: PASSWORD });
    expect(answer).toMatchObject(CONFLICT);
    expect(answer.message).toContain('withdrawn');
    expect(await testClient.usersWith(email)).toEqual([]);
    expect((await testClient.get(id)).data).toMatchObject({ status: 'PENDING' });
  });

  it('an invitation whose inviter lost the right cannot be accepted by a user, signed in or not', async () => {
    const guest = await signedInUser(service);
    const { token } = await testClient.invite(
      { email: guest.email, role: 'TENANT_SUPERADMIN' },
      testClient.as(inviter),
    );
    await service.sql(loss, [inviter.id]);
    for (const bearer of [undefined, guest.token]) {
      const answer = await testClient.accept({ token }, bearer);
      expect(answer).toMatchObject(CONFLICT);
      expect(answer.message).toContain('withdrawn');
    }
    expect(await testClient.membershipsOf(guest.email)).toEqual([]);
  });

  it('an invitation whose inviter lost the right cannot be sent anew, by a colleague or an operator', async () => {
    const colleague = await testClient.member({ role: 'TENANT_SUPERADMIN' });
    const { id, email } = await testClient.invite({ role: 'TENANT_SUPERADMIN' }, testClient.as(inviter));
    await service.sql(loss, [inviter.id]);
    expect(await testClient.resend(id, testClient.as(colleague))).toMatchObject(CONFLICT);
    const operator = new OperatorClient(service, {
      SMTP_URL: service.smtp?.url ?? '',
      MAIL_FROM: 'auth@example.com',
    });
    const byOperator = await operator.run(['invitations', 'resend', id, '--yes']);
    expect(byOperator.code).not.toBe(0);
    expect(byOperator.stderr).toContain('withdrawn');
    expect(service.mailsTo(email)).toHaveLength(1);
    expect(await testClient.cancel(id, testClient.as(colleague))).toMatchObject({ status: 200 });
  });

  it('an invitation cannot be accepted when its inviter loses the right while the request is on its way', async () => {
    const { email, token } = await testClient.invite({ role: 'TENANT_SUPERADMIN' }, testClient.as(inviter));
    const answer = await overtaken(service, { userId: inviter.id, change: loss }, () =>
      testClient.accept({ token, password: PASSWORD }),
    );
    expect(answer).toMatchObject(CONFLICT);
    expect(await testClient.usersWith(email)).toEqual([]);
  });
});

it('an invitation without an inviting user stays valid', async () => {
  const { id, token } = await testClient.invite();
  await service.sql('UPDATE invitations SET invited_by_user_id = NULL WHERE id = $1', [id]);
  expect((await testClient.resend(id)).status).toBe(200);
  expect((await testClient.accept({ token, password: PASSWORD })).status).toBe(404);
});

describe('the open invitations of a user', () => {
  it.each([
    [
      'who is deactivated by staff',
      () => service.api('DELETE', `/internal/users/${inviter.id}`, { token: superadmin.token }),
    ],
    [
      'whose approval is withdrawn',
      () =>
        service.api('PATCH', `/internal/users/${inviter.id}`, {
          token: superadmin.token,
          body: { approvalStatus: 'REJECTED' },
        }),
    ],
    [
      'who is deactivated by a machine',
      () => service.machine('DELETE', `/internal/admin/users/${inviter.id}`),
    ],
    ['whose membership ends', () => upsert(inviter.id, { isActive: false })],
    ['who becomes a member without rights', () => upsert(inviter.id, { role: 'MEMBER' })],
  ])('open invitations of a user %s are cancelled at once, with the reason', async (_who, change) => {
    const [first, second] = [
      await testClient.invite({}, testClient.as(inviter)),
      await testClient.invite({}, testClient.as(inviter)),
    ];
    const closed = await testClient.invite({}, testClient.as(inviter));
    await testClient.accept({ token: closed.token, password: PASSWORD });
    const other = await testClient.invite();
    const answer = await change();
    expect(answer.status, answer.text).toBe(200);
    const byStaff = (await cancellations(first.id))[0]?.actor === 'user';
    for (const { id, email, token } of [first, second]) {
      expect(await testClient.statesOf(email)).toEqual(['CANCELLED']);
      expect(await testClient.accept({ token, password: PASSWORD })).toMatchObject(CONFLICT);
      expect(await cancellations(id)).toEqual([
        {
          actor: byStaff ? 'user' : 'machine:internal-key',
          actor_user_id: byStaff ? superadmin.id : null,
          company_id: testClient.company,
          details: expect.objectContaining({
            reason: 'inviter_may_no_longer_offer',
            invitedByUserId: inviter.id,
          }) as unknown,
        },
      ]);
    }
    expect(await testClient.statesOf(closed.email)).toEqual(['ACCEPTED']);
    expect(await testClient.statesOf(other.email)).toEqual(['PENDING']);
  });

  it('open invitations are cancelled by an operator who deactivates the user', async () => {
    const { id, email } = await testClient.invite({}, testClient.as(inviter));
    const operator = new OperatorClient(service);
    await operator.json(['users', 'deactivate', inviter.id, '--yes']);
    expect(await testClient.statesOf(email)).toEqual(['CANCELLED']);
    expect(await cancellations(id)).toMatchObject([{ actor: operator.actor }]);
  });

  it('open invitations stay when the user keeps the right to offer them, and are cancelled otherwise', async () => {
    const [high, low] = [
      await testClient.invite({ role: 'TENANT_SUPERADMIN' }, testClient.as(inviter)),
      await testClient.invite({ role: 'ADMIN' }, testClient.as(inviter)),
    ];
    await upsert(inviter.id, { role: 'ADMIN' });
    expect(await testClient.statesOf(high.email)).toEqual(['CANCELLED']);
    expect(await testClient.statesOf(low.email)).toEqual(['PENDING']);
    expect((await testClient.accept({ token: low.token, password: PASSWORD })).status).toBe(200);
  });

  it('open invitations are cancelled with what a delegate may grant', async () => {
    const delegate = await testClient.member({ delegation: DELEGATION });
    const invite = (moduleGrants: string[], permissionGrants: string[] = []) =>
      testClient.invite({ moduleGrants, permissionGrants }, testClient.as(delegate));
    const [wiki, events, withPermission] = [
      await invite(['wiki']),
      await invite(['events']),
      await invite(['wiki'], ['p']),
    ];
    const states = async () =>
      Promise.all(
        [wiki, events, withPermission].map(async ({ email }) => (await testClient.statesOf(email))[0]),
      );

    await upsert(delegate.id, { delegation: { grantableModules: ['wiki'] } });
    expect(await states()).toEqual(['PENDING', 'CANCELLED', 'PENDING']);
    await upsert(delegate.id, { delegation: { grantablePermissions: [] } });
    expect(await states()).toEqual(['PENDING', 'CANCELLED', 'CANCELLED']);
    await upsert(delegate.id, { delegation: { canManageUsers: false } });
    expect(await states()).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });

  it('open invitations of platform staff are cancelled in the companies where their role alone let them invite', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const other = randomUUID();
    await insertMembership(service.sql, { userId: staff.id, companyId: other, role: 'ADMIN' });
    const byRank = await testClient.invite({}, testClient.as(staff));
    const byRole = await testClient.invite({}, testClient.as(staff, other));
    const demoted = await service.api('PATCH', `/internal/users/${staff.id}`, {
      token: superadmin.token,
      body: { globalRole: 'NONE' },
    });
    expect(demoted.status, demoted.text).toBe(200);
    expect(await testClient.statesOf(byRank.email)).toEqual(['CANCELLED']);
    expect(await testClient.statesOf(byRole.email)).toEqual(['PENDING']);
  });

  it('accepting and deactivating the inviter at the same time leave no member, or one who joined before', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await testClient.member({ role: 'ADMIN' });
      const { email, token } = await testClient.invite({}, testClient.as(person));
      const [accepted, ended] = await Promise.all([
        testClient.accept({ token, password: PASSWORD }),
        service.machine('DELETE', `/internal/admin/users/${person.id}`),
      ]);
      expect(ended.status, ended.text).toBe(200);
      expect([200, 409]).toContain(accepted.status);
      expect(await testClient.statesOf(email)).toEqual([accepted.status === 200 ? 'ACCEPTED' : 'CANCELLED']);
      expect(await testClient.membershipsOf(email)).toHaveLength(accepted.status === 200 ? 1 : 0);
    }
    expect(service.log()).not.toContain('A transaction runs again.');
  });
});
