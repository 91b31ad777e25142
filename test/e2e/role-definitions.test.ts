import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import type { ApiOptions } from '../support/api-client.js';
import { InvitationClient } from '../support/invitation-client.js';
import { asSignedInByPassword, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { accessOfModel, newWorld, take, type RoleStep } from '../support/role-model.js';
import { roleSteps } from '../support/role-steps.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD } from '../support/test-users.js';

const CORE_KEY = 'key-of-the-core-service';
const ALL = ['invoices', 'reports', 'payroll'];

let core: CoreService;
let service: TestService;
let company: string;
let admin: SignedInTestUser;
let invitations: InvitationClient;

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({
    smtp: true,
    env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY },
  });
});
afterAll(async () => {
  await service.stop();
  await core.stop();
});
beforeEach(async () => {
  invitations = await InvitationClient.open(service);
  company = invitations.company;
  admin = asSignedInByPassword(invitations.admin);
  core.set(company, { modules: ALL, accessPolicyMode: 'LEGACY' });
  await service.sql('DELETE FROM company_roles WHERE company_id IS NULL');
});

const accountant = (fields: object = {}) => ({
  name: 'Accountant',
  modules: ['invoices'],
  permissions: ['invoices:approve'],
  ...fields,
});
const path = (key: string, of = company) => `/internal/companies/${of}/roles/${key}`;
/** Sends a request and reads the reason of a refusal, which problem details have. */
async function api(method: string, to: string, options: ApiOptions) {
  const headers = { accept: 'application/problem+json', ...options.headers };
  const answer = await service.client.send(method, to, { ...options, headers });
  const { code, reason } = (answer.body ?? {}) as { code?: string; reason?: string };
  return { ...answer, code: answer.code ?? code, reason };
}
const define = (key: string, body: object = accountant(), token = admin.token) =>
  api('PUT', path(key), { token, body });
const template = (key: string, body: object = accountant()) =>
  service.machine('PUT', `/internal/admin/roles/${key}`, { body });
const remove = (key: string, body: object = {}, token = admin.token) =>
  api('DELETE', path(key), { token, body });
const upsert = (userId: string, body: object) =>
  service.machine('POST', `/internal/admin/companies/${company}/memberships`, { body: { userId, ...body } });
const accessOf = async ({ token }: SignedInTestUser, of = company) => {
  const answer = await service.api('GET', '/auth/me/access', { token, headers: { 'x-org': of } });
  expect(answer.status, answer.text).toBe(200);
  return answer.data as unknown as {
    modules: string[];
    permissions: string[];
    metadata: Record<string, unknown>;
  };
};
const enforced = () => core.set(company, { modules: ALL, accessPolicyMode: 'ENFORCED' });
const auditOf = (event: string) =>
  service.sql(
    'SELECT company_id, details FROM auth_audit_logs WHERE event = $1 ORDER BY occurred_at DESC, id DESC',
    [event],
  );

describe('a defined role', () => {
  it('a defined role gives its members its modules and permissions at the next request, in every mode', async () => {
    const member = await invitations.member({ role: 'ACCOUNTANT' });
    expect((await accessOf(member)).modules).toEqual(ALL.toSorted());
    const created = await define('ACCOUNTANT');
    expect(created).toMatchObject({
      status: 201,
      data: { key: 'ACCOUNTANT', version: 1, isTemplate: false, companyId: company },
    });
    for (const accessPolicyMode of ['LEGACY', 'SHADOW', 'ENFORCED'] as const) {
      core.set(company, { modules: ALL, accessPolicyMode });
      expect(await accessOf(member)).toMatchObject({
        modules: ['invoices'],
        permissions: ['invoices:approve'],
        metadata: { role: 'ACCOUNTANT', roleName: 'Accountant', accessPolicyMode },
      });
    }
    const changed = await define('ACCOUNTANT', accountant({ modules: ['reports'], version: 1 }));
    expect(changed).toMatchObject({ status: 200, data: { version: 2 } });
    expect((await accessOf(member)).modules).toEqual(['reports']);
  });

  it('a defined role adds to what a member has, and a DENY wins under ENFORCED', async () => {
    const member = await invitations.member({ role: 'ACCOUNTANT' });
    await define('ACCOUNTANT', accountant({ modules: ['invoices', 'payroll'] }));
    await upsert(member.id, { moduleGrants: ['reports'], permissionGrants: ['own'] });
    expect(await accessOf(member)).toMatchObject({
      modules: ALL.toSorted(),
      permissions: ['invoices:approve', 'own'],
    });
    enforced();
    await upsert(member.id, { moduleRules: [{ moduleKey: 'payroll', effect: 'DENY', source: 'MEMBER' }] });
    expect((await accessOf(member)).modules).toEqual(['invoices']);
    const explained = await service.machine('GET', `/internal/admin/users/${member.id}/access?explain=true`, {
      headers: { 'x-org': company },
    });
    expect(explained.data.explanation).toEqual(
      expect.arrayContaining([
        { moduleKey: 'invoices', isEffective: true, reason: 'granted', source: 'ROLE' },
        { moduleKey: 'payroll', isEffective: false, reason: 'denied' },
      ]),
    );
  });

  it('a definition of a company replaces the template of its key in its company only', async () => {
    const member = await invitations.member({ role: 'ACCOUNTANT' });
    expect(await template('ACCOUNTANT', accountant({ modules: ['reports'] }))).toMatchObject({
      status: 201,
      data: { isTemplate: true },
    });
    expect((await accessOf(member)).modules).toEqual(['reports']);
    await define('ACCOUNTANT');
    expect((await accessOf(member)).modules).toEqual(['invoices']);
    const other = randomUUID();
    core.set(other, { modules: ALL, accessPolicyMode: 'LEGACY' });
    await insertMembership(service.sql, { userId: member.id, companyId: other, role: 'ACCOUNTANT' });
    expect((await accessOf(member, other)).modules).toEqual(['reports']);
    expect(
      await service.api('GET', `/internal/companies/${company}/roles`, { token: admin.token }),
    ).toMatchObject({
      status: 200,
      items: [{ key: 'ACCOUNTANT', isTemplate: false, members: 1 }],
    });
    expect(await service.machine('GET', '/internal/admin/roles')).toMatchObject({
      items: [{ key: 'ACCOUNTANT', isTemplate: true, members: 1 }],
    });
  });

  it('a definition that is written unchanged keeps its version', async () => {
    await define('ACCOUNTANT');
    expect(await define('ACCOUNTANT')).toMatchObject({ status: 200, data: { version: 1 } });
    expect((await auditOf('role_updated')).filter(({ company_id: of }) => of === company)).toEqual([]);
  });

  it('a definition is refused for an outdated version, for reserved keys and beyond 100', async () => {
    await define('ACCOUNTANT');
    await define('ACCOUNTANT', accountant({ modules: [] }));
    for (const [key, version] of [
      ['ACCOUNTANT', 1],
      ['READER', 1],
    ] as const) {
      const refused = await define(key, accountant({ version }));
      expect(refused).toMatchObject({ status: 409, reason: 'role_changed' });
    }
    for (const key of ['ADMIN', 'TENANT_SUPERADMIN'])
      expect(await define(key)).toMatchObject({ status: 409, reason: 'role_reserved' });
    for (let index = 0; index < 99; index++)
      await service.sql(
        `INSERT INTO company_roles (id, company_id, key, name, modules, permissions, delegation)
         VALUES ($1, $2, $3, 'Role', '{}', '{}',
         '{"canManageUsers":false,"canBuyAddons":false,"grantableModules":[],"grantablePermissions":[]}')`,
        [randomUUID(), company, `ROLE_${index}`],
      );
    expect(await define('ONE_MORE')).toMatchObject({ status: 409, reason: 'role_limit_reached' });
    expect(await define('ACCOUNTANT')).toMatchObject({ status: 200 });
  });

  it('a definition is named plainly and lists at most 500 keys', async () => {
    const many = Array.from({ length: 501 }, (_, index) => `m${index}`);
    for (const fields of [{ name: '<b>' }, { name: '' }, { modules: many }, { permissions: undefined }])
      expect(await define('ACCOUNTANT', accountant(fields))).toMatchObject({
        status: 400,
        code: 'validation_error',
      });
  });

  it('a change of a role writes an audit row with the keys gained and lost and the number of members', async () => {
    await invitations.member({ role: 'ACCOUNTANT' });
    await define('ACCOUNTANT', accountant({ delegation: { canManageUsers: true } }));
    await define('ACCOUNTANT', accountant({ modules: ['reports'] }));
    const [created] = await auditOf('role_created');
    expect(created).toMatchObject({ company_id: company, details: { key: 'ACCOUNTANT', members: 1 } });
    const [updated] = await auditOf('role_updated');
    expect(updated?.details).toMatchObject({
      gained: { modules: ['reports'], permissions: [], delegation: [] },
      lost: { modules: ['invoices'], permissions: [], delegation: ['canManageUsers'] },
      members: 1,
    });
  });

  it('a role has a revision for every time', async () => {
    await define('ACCOUNTANT');
    await define('ACCOUNTANT', accountant({ modules: ['reports'] }));
    await remove('ACCOUNTANT');
    const rows = await service.sql(
      'SELECT version, modules, valid_until IS NULL AS holds FROM company_role_revisions WHERE company_id = $1 ORDER BY version',
      [company],
    );
    expect(rows).toEqual([
      { version: 1, modules: ['invoices'], holds: false },
      { version: 2, modules: ['reports'], holds: false },
    ]);
  });
});

describe('removing a definition', () => {
  it('a removal is refused while members have the role, and moves them first', async () => {
    const member = await invitations.member({ role: 'ACCOUNTANT' });
    await define('ACCOUNTANT');
    await define('READER', { name: 'Reader', modules: ['reports'], permissions: [] });
    expect(await remove('ACCOUNTANT')).toMatchObject({ status: 409, reason: 'role_in_use' });
    expect((await accessOf(member)).modules).toEqual(['invoices']);
    expect(await remove('ACCOUNTANT', { moveTo: 'READER' })).toMatchObject({
      status: 200,
      data: { moved: 1 },
    });
    expect(await accessOf(member)).toMatchObject({ modules: ['reports'], metadata: { role: 'READER' } });
    expect(await remove('ACCOUNTANT')).toMatchObject({ status: 404, reason: 'role_not_found' });
  });

  it('a removal leaves members the template without moving them', async () => {
    const member = await invitations.member({ role: 'ACCOUNTANT' });
    await template('ACCOUNTANT', accountant({ modules: ['reports'] }));
    await define('ACCOUNTANT');
    const preview = await service.api('POST', `${path('ACCOUNTANT')}/preview`, {
      token: admin.token,
      body: { remove: true },
    });
    expect(preview.data).toMatchObject({
      total: 1,
      fallsBackToTemplate: true,
      members: [{ userId: member.id, gained: { modules: ['reports'] }, lost: { modules: ['invoices'] } }],
    });
    expect(await remove('ACCOUNTANT')).toMatchObject({ status: 200, data: { moved: 0 } });
    expect((await accessOf(member)).modules).toEqual(['reports']);
  });

  it('a removal cancels open invitations with the role, which would offer everything otherwise', async () => {
    await define('ACCOUNTANT');
    const { id, token } = await invitations.invite({ role: 'ACCOUNTANT' });
    await remove('ACCOUNTANT');
    expect((await invitations.get(id)).data).toMatchObject({ status: 'CANCELLED' });
    expect(await invitations.accept({ token, password: PASSWORD })).toMatchObject({ status: 409 });
  });

  it('a removal gives open invitations the role of moveTo', async () => {
    await define('ACCOUNTANT');
    const { id } = await invitations.invite({ role: 'ACCOUNTANT' });
    await remove('ACCOUNTANT', { moveTo: 'READER' });
    expect((await invitations.get(id)).data).toMatchObject({ status: 'PENDING', role: 'READER' });
  });
});

describe('who may define roles', () => {
  it('only administrators of the company or the platform and machines define roles', async () => {
    const outsider = asSignedInByPassword(await signedInUser(service));
    const member = await invitations.member({});
    const delegate = await invitations.member({});
    await upsert(delegate.id, { delegation: { canManageUsers: true } });
    const moderator = asSignedInByPassword(await signedInUser(service, { role: 'PLATFORM_MODERATOR' }));
    for (const { token } of [member, delegate, moderator])
      expect(await define('ACCOUNTANT', accountant(), token)).toMatchObject({ status: 403 });
    expect(await define('ACCOUNTANT', accountant(), outsider.token)).toMatchObject({
      status: 404,
      reason: 'company_not_found',
    });
    const staff = asSignedInByPassword(await signedInUser(service, { role: 'PLATFORM_ADMIN' }));
    expect(await define('ACCOUNTANT', accountant(), staff.token)).toMatchObject({ status: 201 });
    const body = accountant();
    for (const { token } of [admin, moderator])
      expect(await api('PUT', '/internal/roles/X', { token, body })).toMatchObject({ status: 403 });
    expect(await api('PUT', '/internal/roles/X', { token: staff.token, body })).toMatchObject({
      status: 201,
    });
  });

  it('administrators of one company cannot read or write roles of another', async () => {
    const other = (await InvitationClient.open(service)).company;
    const { token } = admin;
    const body = accountant();
    for (const [method, suffix] of [
      ['GET', ''],
      ['PUT', '/ACCOUNTANT'],
      ['DELETE', '/ACCOUNTANT'],
      ['POST', '/ACCOUNTANT/preview'],
    ] as const) {
      const answer = await service.api(method, `/internal/companies/${other}/roles${suffix}`, {
        token,
        ...(method !== 'GET' && { body }),
      });
      expect(answer.status, answer.text).toBe(404);
    }
  });

  it('people define roles only after a recent sign-in of their own, with their second factor if they have one', async () => {
    const refused = { status: 401, code: 'reauthentication_required' };
    expect(await define('ACCOUNTANT', accountant(), invitations.admin.token)).toMatchObject(refused);
    await define('ACCOUNTANT');
    expect(await remove('ACCOUNTANT', {}, invitations.admin.token)).toMatchObject(refused);
    await service.sql(
      `INSERT INTO totp_factors (id, user_id, name, encrypted_secret, key_id, begun_by, confirmed_at, last_step)
       VALUES ($1, $2, 'App', '', 'key', $1, now(), 1)`,
      [randomUUID(), admin.id],
    );
    expect(await define('ACCOUNTANT')).toMatchObject({ ...refused, reason: 'second_factor_missing' });
  });

  it('no user raises the role that they hold themselves', async () => {
    const staff = asSignedInByPassword(await signedInUser(service, { role: 'PLATFORM_ADMIN' }));
    await insertMembership(service.sql, { userId: staff.id, companyId: company, role: 'ACCOUNTANT' });
    expect(await define('ACCOUNTANT', accountant(), staff.token)).toMatchObject({
      status: 403,
      reason: 'own_authority',
    });
    await define('ACCOUNTANT');
    const narrower = accountant({ permissions: [] });
    expect(await define('ACCOUNTANT', narrower, staff.token)).toMatchObject({ status: 200 });
    expect(await define('ACCOUNTANT', accountant(), staff.token)).toMatchObject({ reason: 'own_authority' });
    expect(await remove('ACCOUNTANT', { moveTo: 'READER' }, staff.token)).toMatchObject({
      reason: 'own_authority',
    });
    const body = accountant({ modules: ['payroll'] });
    await remove('ACCOUNTANT', { moveTo: 'READER' });
    await upsert(staff.id, { role: 'CLERK' });
    expect(await api('PUT', '/internal/roles/CLERK', { token: staff.token, body })).toMatchObject({
      status: 403,
      reason: 'own_authority',
    });
  });

  it('staff do not change a role of members above them', async () => {
    const superadmin = asSignedInByPassword(await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' }));
    await insertMembership(service.sql, { userId: superadmin.id, companyId: company, role: 'ACCOUNTANT' });
    const staff = asSignedInByPassword(await signedInUser(service, { role: 'PLATFORM_ADMIN' }));
    expect(await define('ACCOUNTANT', accountant(), staff.token)).toMatchObject({ status: 403 });
    expect(await define('ACCOUNTANT', accountant(), admin.token)).toMatchObject({ status: 201 });
  });

  it('an ADMIN cannot move members to TENANT_SUPERADMIN', async () => {
    await invitations.member({ role: 'ACCOUNTANT' });
    await define('ACCOUNTANT');
    expect(await remove('ACCOUNTANT', { moveTo: 'TENANT_SUPERADMIN' })).toMatchObject({ status: 403 });
  });
});

describe('delegates and a defined MEMBER', () => {
  const asDelegate = async () => {
    const delegate = await invitations.member({});
    await upsert(delegate.id, {
      moduleGrants: ['reports'],
      delegation: { canManageUsers: true, grantableModules: ['reports'], grantablePermissions: ['read'] },
    });
    return delegate;
  };
  const member = (fields: object = {}) => ({
    name: 'Member',
    modules: ['reports'],
    permissions: ['read'],
    ...fields,
  });

  const offer = ({ token }: SignedInTestUser) =>
    api('POST', '/auth/invitations', {
      token,
      headers: { 'x-org': company },
      body: { email: `${randomUUID()}@example.com`, moduleGrants: ['reports'] },
    });

  it('the contents of MEMBER count against what a delegate may grant', async () => {
    const delegate = await asDelegate();
    await define('MEMBER', member({ modules: ['payroll'] }));
    const wide = await offer(delegate);
    expect(wide).toMatchObject({ status: 403, reason: 'offer_exceeds_authority' });
    await define('MEMBER', member({ delegation: { canBuyAddons: true } }));
    const handed = await offer(delegate);
    expect(handed).toMatchObject({ status: 403, reason: 'offer_exceeds_authority' });
    await define('MEMBER', member());
    await invitations.invite({ moduleGrants: ['reports'] }, invitations.as(delegate));
  });

  it.each(['own', 'template'] as const)(
    'open invitations that a wider %s MEMBER makes too wide are cancelled with it',
    async (kind) => {
      const delegate = await asDelegate();
      const narrow = await invitations.invite({ moduleGrants: ['reports'] }, invitations.as(delegate));
      const byAdmin = await invitations.invite({ moduleGrants: ['reports'] });
      const wide = member({ modules: ['payroll'] });
      await (kind === 'own' ? define('MEMBER', wide) : template('MEMBER', wide));
      expect((await invitations.get(narrow.id)).data).toMatchObject({ status: 'CANCELLED' });
      expect((await invitations.get(byAdmin.id)).data).toMatchObject({ status: 'PENDING' });
      expect(await invitations.accept({ token: narrow.token, password: PASSWORD })).toMatchObject({
        status: 409,
      });
    },
  );

  it('a role that loses its delegation takes the open invitations of its members with it', async () => {
    const lead = await invitations.member({ role: 'LEAD' });
    const delegation = { canManageUsers: true, grantableModules: ['reports'] };
    const contents = { name: 'Lead', modules: ['reports'], permissions: [] };
    await define('LEAD', { ...contents, delegation });
    const { id } = await invitations.invite({ moduleGrants: ['reports'] }, invitations.as(lead));
    await define('LEAD', contents);
    expect((await invitations.get(id)).data).toMatchObject({ status: 'CANCELLED' });
    expect(
      await invitations.create({ email: `${randomUUID()}@example.com` }, invitations.as(lead)),
    ).toMatchObject({ status: 403 });
  });
});

describe('a preview', () => {
  it('a preview names what each member would gain and lose, and writes nothing', async () => {
    const [free, limited] = [
      await invitations.member({ role: 'ACCOUNTANT' }),
      await invitations.member({ role: 'ACCOUNTANT' }),
    ];
    await upsert(limited.id, { moduleGrants: ['reports'] });
    const preview = await service.api('POST', `${path('ACCOUNTANT')}/preview`, {
      token: admin.token,
      body: accountant(),
    });
    expect(preview).toMatchObject({ status: 200, data: { total: 2, isTotalExact: true } });
    const nothing = { modules: [], permissions: [], delegation: [] };
    expect(preview.data.members).toEqual(
      expect.arrayContaining([
        {
          userId: free.id,
          gained: { ...nothing, permissions: ['invoices:approve'] },
          lost: { ...nothing, modules: ['payroll', 'reports'] },
        },
        {
          userId: limited.id,
          gained: { ...nothing, modules: ['invoices'], permissions: ['invoices:approve'] },
          lost: nothing,
        },
      ]),
    );
    expect(await service.sql('SELECT id FROM company_roles WHERE company_id = $1', [company])).toEqual([]);
  });

  it('a preview of a template is that of the company of x-org, where nothing changes under an own definition', async () => {
    const member = await invitations.member({ role: 'ACCOUNTANT' });
    const preview = () =>
      service.machine('POST', '/internal/admin/roles/ACCOUNTANT/preview', {
        body: accountant(),
        headers: { 'x-org': company },
      });
    expect((await preview()).data).toMatchObject({
      members: [{ userId: member.id, lost: { modules: ['payroll', 'reports'] } }],
    });
    await define('ACCOUNTANT', accountant({ modules: ['reports'] }));
    expect((await preview()).data).toMatchObject({
      members: [{ lost: { modules: [] }, gained: { modules: [] } }],
    });
  });
});

describe('the list of members', () => {
  it('the list of members finds those of a role', async () => {
    const member = await invitations.member({ role: 'ACCOUNTANT' });
    const { items } = await service.api('GET', `/internal/companies/${company}/users?role=ACCOUNTANT`, {
      token: admin.token,
    });
    expect(items).toMatchObject([{ id: member.id, membership: { role: 'ACCOUNTANT' } }]);
    expect(items[0]?.membership).not.toHaveProperty('definedRole');
  });
});

/** Plays a step by the routes of machines. @returns whether it was accepted. */
async function play(step: RoleStep, userId: string): Promise<boolean> {
  const role = (of: 'own' | 'template', key: string) =>
    of === 'own' ? `/internal/admin/companies/${company}/roles/${key}` : `/internal/admin/roles/${key}`;
  const machine = async (method: string, to: string, body: object) =>
    (await service.machine(method, to, { body })).status < 300;
  switch (step.kind) {
    case 'define':
      return machine('PUT', role(step.of, step.key), { name: 'Role', ...step.role });
    case 'remove':
      return machine('DELETE', role(step.of, step.key), { moveTo: step.moveTo });
    case 'grant':
      return (
        (await upsert(userId, { moduleGrants: step.modules, permissionGrants: step.permissions })).status ===
        200
      );
    case 'join':
      return (await upsert(userId, { role: step.role })).status === 200;
    case 'deny':
    case 'entitle':
    case 'mode':
      return true;
  }
}

it('random sequences of changes give the access of the model, and refuse what it refuses', async () => {
  const check = async (steps: readonly RoleStep[]) => {
    // A template is in use by members of every company.
    await service.sql('DELETE FROM company_memberships');
    await service.sql('DELETE FROM company_roles');
    company = randomUUID();
    const member = await signedInUser(service);
    await insertMembership(service.sql, { userId: member.id, companyId: company });
    const world = newWorld();
    for (const step of steps.filter(({ kind }) => kind !== 'deny')) {
      const wanted = take(world, step);
      expect(await play(step, member.id), JSON.stringify(step)).toBe(wanted);
      core.set(company, { modules: world.entitled, accessPolicyMode: world.mode });
      expect(await accessOf(member)).toMatchObject(accessOfModel(world));
    }
  };
  await fc.assert(fc.asyncProperty(roleSteps, check), { numRuns: 25 });
});
