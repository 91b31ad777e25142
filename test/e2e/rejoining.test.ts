import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

const FORBIDDEN = { status: 403, code: 'forbidden' };
const TEAM = { moduleKey: 'payroll', effect: 'GRANT', source: 'TEAM', teamId: randomUUID() };
const DENY = { moduleKey: 'tickets', effect: 'DENY', source: 'MEMBER' };
const DELEGATION = {
  canManageUsers: true,
  canBuyAddons: true,
  grantableModules: ['payroll'],
  grantablePermissions: ['pay.run'],
};
const NO_DELEGATION = {
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
};

let service: TestService;
let invitations: InvitationClient;
let unit: string;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
});
afterAll(() => service.stop());
beforeEach(async () => {
  invitations = await InvitationClient.open(service);
  unit = randomUUID();
});

const machine = (method: string, path: string, body: object, actor = invitations.admin.id) =>
  service.machine(method, `/internal/admin/companies/${invitations.company}${path}`, {
    body,
    headers: { 'x-actor-user-id': actor },
  });

async function succeed(method: string, path: string, body: object) {
  const answer = await machine(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

/** A member with every possible authority, in the company and a unit. */
async function mighty(): Promise<SignedInTestUser> {
  const user = await signedInUser(service);
  const userId = user.id;
  await succeed('POST', '/memberships', {
    userId,
    role: 'CHIEF',
    moduleGrants: ['payroll'],
    permissionGrants: ['pay.run'],
    delegation: DELEGATION,
    moduleRules: [TEAM, DENY],
  });
  await succeed('PATCH', `/finance-memberships/${userId}`, {
    financeRole: 'APPROVER',
    approvalLimit: '5000',
    isPrimaryFinanceAdmin: true,
  });
  await succeed('POST', `/business-units/${unit}/memberships`, { userId });
  await succeed('PATCH', `/business-units/${unit}/finance-memberships/${userId}`, {
    financeRole: 'APPROVER',
    approvalLimit: '700',
    isPrimaryApprover: true,
  });
  return user;
}

/** Returns the rows of one user in the company. */
async function held(userId: string) {
  const values = [userId, invitations.company];
  const [company] = await service.sql(
    `SELECT role, is_active, finance_role, approval_limit, is_primary_finance_admin FROM company_memberships
     WHERE user_id = $1 AND company_id = $2`,
    values,
  );
  const [inUnit] = await service.sql(
    `SELECT is_active, finance_role, approval_limit, is_primary_approver FROM business_unit_memberships
     WHERE user_id = $1 AND company_id = $2`,
    values,
  );
  const rules = await service.sql(
    `SELECT concat_ws(' ', r.module_key, r.effect, r.source) AS rule FROM membership_module_rules r
     JOIN company_memberships m ON m.id = r.membership_id WHERE m.user_id = $1 AND m.company_id = $2 ORDER BY 1`,
    values,
  );
  return { company, inUnit, rules: rules.map(({ rule }) => rule) };
}

const NO_FINANCE = { finance_role: null, approval_limit: null };
const OUT = { ...NO_FINANCE, is_active: false, is_primary_approver: false };

/** Ends a membership as former versions did, without clearing: the row still holds all authority. */
async function endAsBefore(userId: string): Promise<void> {
  await service.sql(
    `UPDATE company_memberships SET is_active = false, is_primary_finance_admin = false WHERE user_id = $1`,
    [userId],
  );
  await service.sql(
    `UPDATE business_unit_memberships SET is_active = false, is_primary_approver = false WHERE user_id = $1`,
    [userId],
  );
}

const end = (userId: string) => succeed('POST', '/memberships', { userId, isActive: false });

describe('a membership that ends', () => {
  it('a membership that ends loses finance role, approval limit, primary flag and rules, in its business units too', async () => {
    const { id } = await mighty();
    const ended = await end(id);
    expect(ended).toMatchObject({
      isActive: false,
      financeRole: null,
      approvalLimit: null,
      isPrimaryFinanceAdmin: false,
    });
    expect(await held(id)).toEqual({
      company: { ...NO_FINANCE, role: 'CHIEF', is_active: false, is_primary_finance_admin: false },
      inUnit: OUT,
      rules: [],
    });
  });

  it('a membership that ends is kept whole in the audit log', async () => {
    const { id } = await mighty();
    await end(id);
    const [row] = await service.sql(
      `SELECT details FROM auth_audit_logs WHERE event = 'membership_updated' AND subject_user_id = $1
       ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(row?.details).toMatchObject({
      isActive: false,
      previous: {
        role: 'CHIEF',
        isActive: true,
        financeRole: 'APPROVER',
        approvalLimit: '5000',
        isPrimaryFinanceAdmin: true,
        moduleGrants: ['payroll'],
        permissionGrants: ['pay.run'],
        delegation: DELEGATION,
        moduleRules: expect.arrayContaining([TEAM, DENY]) as unknown,
        businessUnits: [
          {
            businessUnitId: unit,
            isActive: true,
            financeRole: 'APPROVER',
            approvalLimit: '700',
            isPrimaryApprover: true,
          },
        ],
      },
    });
  });
});

describe.each([
  ['now', end],
  ['before that cleared anything', endAsBefore],
])('a former member whose membership ended %s', (_when, finish) => {
  it('a former member joins again with what the invitation offers and nothing else', async () => {
    const former = await mighty();
    await finish(former.id);
    const delegate = await invitations.member({
      delegation: { canManageUsers: true, grantableModules: ['wiki'] },
    });
    const { token } = await invitations.invite(
      { email: former.email, moduleGrants: ['wiki'] },
      invitations.as(delegate),
    );
    expect((await invitations.accept({ token })).status).toBe(200);
    expect(await held(former.id)).toEqual({
      company: { ...NO_FINANCE, role: 'MEMBER', is_active: true, is_primary_finance_admin: false },
      inUnit: OUT,
      rules: ['wiki GRANT MEMBER'],
    });
    const context = await service.machine('GET', `/internal/admin/users/${former.id}/context`);
    expect(context.data.companyMemberships).toMatchObject([
      { moduleGrants: ['wiki'], permissionGrants: [], delegation: NO_DELEGATION },
    ]);
  });

  it('a former member is made a member again with what the write names and nothing else', async () => {
    const { id: userId } = await mighty();
    await finish(userId);
    const rejoined = await succeed('POST', '/memberships', {
      userId,
      isActive: true,
      permissionGrants: ['bill.read'],
      delegation: { canBuyAddons: true },
    });
    expect(rejoined).toMatchObject({
      role: 'MEMBER',
      isActive: true,
      financeRole: null,
      approvalLimit: null,
      isPrimaryFinanceAdmin: false,
      moduleGrants: [],
      permissionGrants: ['bill.read'],
      delegation: { ...NO_DELEGATION, canBuyAddons: true },
    });
    expect(await held(userId)).toMatchObject({ inUnit: OUT, rules: [] });
  });

  it('a former member has no part in the finance workflow of a unit that they join again', async () => {
    const { id: userId } = await mighty();
    await finish(userId);
    await service.sql('UPDATE company_memberships SET is_active = true WHERE user_id = $1', [userId]);
    const back = await succeed('POST', `/business-units/${unit}/memberships`, { userId, isActive: true });
    expect(back).toMatchObject({ isActive: true, financeRole: null, approvalLimit: null });
  });
});

it('an active member keeps everything when a write sets them active', async () => {
  const { id: userId } = await mighty();
  const written = await succeed('POST', '/memberships', { userId, isActive: true });
  expect(written).toMatchObject({ role: 'CHIEF', financeRole: 'APPROVER', moduleGrants: ['payroll'] });
  const inUnit = await succeed('POST', `/business-units/${unit}/memberships`, { userId, isActive: true });
  expect(inUnit).toMatchObject({ financeRole: 'APPROVER', approvalLimit: '700', isPrimaryApprover: true });
});

describe('a former TENANT_SUPERADMIN', () => {
  it('a former TENANT_SUPERADMIN is not invited by an ADMIN or a delegate, as neither may change that membership', async () => {
    const former = await invitations.member({ role: 'TENANT_SUPERADMIN', active: false });
    const delegate = await invitations.member({
      delegation: { canManageUsers: true, grantableModules: ['wiki'] },
    });
    const body = { email: former.email, moduleGrants: ['wiki'] };
    expect(await invitations.create(body)).toMatchObject(FORBIDDEN);
    expect(await invitations.create(body, invitations.as(delegate))).toMatchObject(FORBIDDEN);
    expect(await invitations.statesOf(former.email)).toEqual([]);
  });

  it('a former TENANT_SUPERADMIN is invited by a TENANT_SUPERADMIN and joins in the new role', async () => {
    const former = await invitations.member({ role: 'TENANT_SUPERADMIN', active: false });
    const owner = await invitations.member({ role: 'TENANT_SUPERADMIN' });
    const { token } = await invitations.invite({ email: former.email, role: 'CLERK' }, invitations.as(owner));
    expect((await invitations.accept({ token })).status).toBe(200);
    expect(await invitations.membershipsOf(former.email)).toMatchObject([{ role: 'CLERK', is_active: true }]);
  });

  it('a former TENANT_SUPERADMIN does not join by an invitation of an ADMIN that was made before they became one', async () => {
    const guest = await service.createUser();
    const { token } = await invitations.invite({ email: guest.email });
    await succeed('POST', '/memberships', { userId: guest.id, role: 'TENANT_SUPERADMIN' });
    await end(guest.id);
    const answer = await invitations.accept({ token });
    expect(answer).toMatchObject({ status: 409, code: 'conflict' });
    expect(answer.message).toContain('withdrawn');
    expect(await invitations.membershipsOf(guest.email)).toMatchObject([
      { role: 'TENANT_SUPERADMIN', is_active: false },
    ]);
  });
});

it('a former ADMIN cannot be brought back by a delegate', async () => {
  const former = await invitations.member({ role: 'ADMIN', active: false });
  const delegate = await invitations.member({
    delegation: { canManageUsers: true, grantableModules: ['wiki'] },
  });
  const body = { email: former.email, moduleGrants: ['wiki'] };
  expect(await invitations.create(body, invitations.as(delegate))).toMatchObject(FORBIDDEN);
  expect((await invitations.create(body)).status).toBe(201);
});

it('platform staff cannot invite themselves', async () => {
  const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
  expect(await invitations.create({ email: staff.email }, invitations.as(staff))).toMatchObject(FORBIDDEN);
});
