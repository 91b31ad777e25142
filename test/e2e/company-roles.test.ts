import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GlobalRole } from '@latchkey/core';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

const SA = 'PLATFORM_SUPERADMIN';
const PA = 'PLATFORM_ADMIN';
const PM = 'PLATFORM_MODERATOR';
const TSA = 'TENANT_SUPERADMIN';
const UNIT_PATH = () => `/business-units/${company.unit}`;

let service: TestService;
let company: TestCompany;
const actors = new Map<string, SignedInTestUser>();

beforeAll(async () => {
  service = await startTestService();
  company = new TestCompany(service);
  for (const role of ['NONE', SA, PA, PM] as GlobalRole[]) {
    actors.set(role, await signedInUser(service, { role }));
  }
  for (const role of [TSA, 'ADMIN', 'MEMBER']) actors.set(role, await company.member({ role }));
  const elsewhere = new TestCompany(service);
  actors.set('TSA elsewhere', await elsewhere.member({ role: TSA }));
  actors.set('former TSA', await company.member({ role: TSA, active: false }));
});
afterAll(() => service.stop());

const tokenOf = (actor: string): string => actors.get(actor)?.token ?? '';

/** Lists the actors that an action lets in. A refusal must be 403 `forbidden` and write nothing. */
async function allowed(act: (token: string) => Promise<{ status: number; code: string | undefined }>) {
  const passed: string[] = [];
  for (const actor of actors.keys()) {
    const before = await company.rows();
    const { status, code } = await act(tokenOf(actor));
    if (status === 200) {
      passed.push(actor);
      continue;
    }
    expect([actor, status, code]).toEqual([actor, 403, 'forbidden']);
    expect(await company.rows()).toEqual(before);
  }
  return passed.sort();
}

const READERS = [SA, PA, PM, TSA, 'ADMIN'].sort();
const WRITERS = [SA, PA, TSA, 'ADMIN'].sort();

/** Creates a member with that role. */
async function freshMember(role = 'MEMBER', globalRole: GlobalRole = 'NONE'): Promise<string> {
  const { id } = await service.createUser({ role: globalRole });
  await company.join(id, { role, unit: company.unit });
  return id;
}

describe('callers with access to a company', () => {
  it('readers have access to the lists', async () => {
    for (const path of ['/users', `${UNIT_PATH()}/users`]) {
      expect(await allowed((token) => company.bearer(token, 'GET', path))).toEqual(READERS);
    }
  });

  it('writers have access to the membership upserts', async () => {
    const membership = async (token: string) =>
      company.bearer(token, 'POST', '/memberships', { userId: (await service.createUser()).id });
    expect(await allowed(membership)).toEqual(WRITERS);
    const userId = await freshMember();
    const path = `${UNIT_PATH()}/memberships`;
    expect(await allowed((token) => company.bearer(token, 'POST', path, { userId }))).toEqual(WRITERS);
  });

  it('writers have access to the finance routes', async () => {
    const id = await freshMember();
    const bodies = { approvalLimit: '5' };
    for (const path of [
      `/finance-memberships/${id}`,
      `/company-approval-limit/${id}`,
      `${UNIT_PATH()}/finance-memberships/${id}`,
    ]) {
      expect(await allowed((token) => company.bearer(token, 'PATCH', path, bodies))).toEqual(WRITERS);
    }
  });

  it("a caller without a token has no access, and a user's token opens no machine route", async () => {
    expect(await company.bearer(undefined, 'GET', '/users')).toMatchObject({ status: 401 });
    const path = `/internal/admin/companies/${company.id}/users`;
    expect(await service.api('GET', path, { token: tokenOf(SA) })).toMatchObject({ status: 403 });
  });

  it('a company id that is no UUID is a validation error for every caller', async () => {
    for (const actor of [SA, 'ADMIN', 'NONE']) {
      const answer = await service.api('GET', '/internal/companies/x/users', { token: tokenOf(actor) });
      expect(answer, actor).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });

  it('an administrator has access under any spelling of the company', async () => {
    const path = `/internal/companies/${company.id.toUpperCase()}/users`;
    expect(await service.api('GET', path, { token: tokenOf('ADMIN') })).toMatchObject({ status: 200 });
  });

  it('a denied access to a company is audited', async () => {
    const [{ n: before } = {}] = await denials();
    await company.bearer(tokenOf('MEMBER'), 'GET', '/users');
    expect(await denials()).toEqual([{ n: Number(before) + 1 }]);
  });
});

const denials = () =>
  service.sql(
    "SELECT count(*)::int AS n FROM auth_audit_logs WHERE event = 'access_denied' AND actor_user_id = $1",
    [actors.get('MEMBER')?.id],
  );

describe('the members that a write can change', () => {
  const upsert = (actor: string, body: object) =>
    company.bearer(tokenOf(actor), 'POST', '/memberships', body);

  it('an ADMIN neither makes nor changes a TENANT_SUPERADMIN', async () => {
    const { id: stranger } = await service.createUser();
    const [tsa, admin, former] = [await freshMember(TSA), await freshMember('ADMIN'), await freshMember(TSA)];
    await company.upsert({ userId: former, isActive: false });
    const before = await company.rows();
    const bodies = [
      { userId: stranger, role: TSA },
      { userId: admin, role: TSA },
      { userId: tsa, role: 'MEMBER' },
      { userId: tsa, permissionGrants: ['p'] },
      { userId: tsa, isActive: false },
      { userId: former, isActive: true },
    ];
    for (const body of bodies)
      expect(await upsert('ADMIN', body), JSON.stringify(body)).toMatchObject({ status: 403 });
    const finance = await company.bearer(tokenOf('ADMIN'), 'PATCH', `/finance-memberships/${tsa}`, {
      approvalLimit: '1',
    });
    expect(finance).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await company.rows()).toEqual(before);
    expect(await upsert('ADMIN', { userId: admin, role: 'MEMBER' })).toMatchObject({ status: 200 });
    expect(await upsert(TSA, { userId: tsa, role: 'MEMBER' })).toMatchObject({ status: 200 });
    expect(await upsert(TSA, { userId: stranger, role: TSA })).toMatchObject({ status: 200 });
  });

  it('a platform admin changes lower roles only, a superadmin every role', async () => {
    const reach: Record<string, GlobalRole[]> = { [PA]: [], [SA]: [] };
    for (const actor of [PA, SA]) {
      for (const globalRole of ['NONE', PM, PA, SA] as GlobalRole[]) {
        const userId = await freshMember('MEMBER', globalRole);
        const answers = [
          await upsert(actor, { userId, role: TSA }),
          await company.bearer(tokenOf(actor), 'PATCH', `/finance-memberships/${userId}`, {
            approvalLimit: '1',
          }),
          await company.bearer(tokenOf(actor), 'POST', `${UNIT_PATH()}/memberships`, { userId }),
        ];
        const statuses = [...new Set(answers.map(({ status }) => status))];
        expect([[200], [403]]).toContainEqual(statuses);
        if (statuses[0] === 200) reach[actor]?.push(globalRole);
      }
    }
    expect(reach).toEqual({ [PA]: ['NONE', PM], [SA]: ['NONE', PM, PA, SA] });
  });

  it('no member changes their own role or activity, or grants themselves more', async () => {
    for (const role of [TSA, 'ADMIN']) {
      const { id: userId, token } = await company.member({ role });
      const own = (body: object) => company.bearer(token, 'POST', '/memberships', { userId, ...body });
      const refused = [
        { role: 'MEMBER' },
        { role: 'OWNER' },
        { isActive: false },
        { permissionGrants: ['p'] },
      ];
      for (const body of refused) {
        expect(await own(body)).toMatchObject({ status: 403, code: 'forbidden' });
      }
      expect(await own({ role, permissionGrants: [] })).toMatchObject({ status: 200 });
    }
    const { id: userId } = actors.get(SA) ?? { id: '' };
    expect(await upsert(SA, { userId, role: TSA })).toMatchObject({ status: 403 });
  });

  it('an unknown user is not found for writers, and hidden from other callers', async () => {
    const body = { userId: '00000000-0000-0000-0000-000000000000' };
    expect(await upsert('ADMIN', body)).toMatchObject({ status: 404 });
    expect(await upsert('MEMBER', body)).toMatchObject({ status: 403 });
  });

  it('a membership change is audited with the user who wrote it', async () => {
    const userId = await freshMember();
    await upsert('ADMIN', { userId, role: 'SELLER' });
    const rows = await company.audit();
    expect(rows.at(-1)).toMatchObject({
      event: 'membership_updated',
      actor: 'user',
      actor_user_id: actors.get('ADMIN')?.id,
      subject_user_id: userId,
    });
  });
});

describe('rights that end during a write', () => {
  it.each([
    ["UPDATE company_memberships SET role = 'MEMBER' WHERE user_id = $1", '/memberships'],
    ['UPDATE company_memberships SET is_active = false WHERE user_id = $1', '/memberships'],
    ['UPDATE users SET is_active = false WHERE id = $1', '/memberships'],
    ["UPDATE company_memberships SET role = 'MEMBER' WHERE user_id = $1", '/finance-memberships/'],
  ])('rights that end during a write decide nothing any more: %s %s', async (change, path) => {
    const admin = await company.member({ role: 'ADMIN' });
    const userId = await freshMember();
    const isFinance = path.startsWith('/finance');
    const body = isFinance ? { approvalLimit: '9' } : { userId, role: 'ADMIN' };
    const answer = await overtaken(service, { userId: admin.id, change }, () =>
      company.bearer(admin.token, isFinance ? 'PATCH' : 'POST', isFinance ? path + userId : path, body),
    );
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    const rows = await service.sql(
      'SELECT role, approval_limit FROM company_memberships WHERE user_id = $1',
      [userId],
    );
    expect(rows).toEqual([{ role: 'MEMBER', approval_limit: null }]);
  });
});
