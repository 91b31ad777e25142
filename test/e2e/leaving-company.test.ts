import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asSignedInByPassword, signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(() => {
  company = new TestCompany(service);
});

const member = async (role = 'MEMBER') =>
  asSignedInByPassword(await company.member({ role, unit: company.unit }));
const leave = (token: string, id = company.id) =>
  service.api('DELETE', `/auth/me/memberships/${id}`, { token });
const superadmins = () =>
  service.sql(
    `SELECT user_id FROM company_memberships WHERE company_id = $1 AND is_active AND role = 'TENANT_SUPERADMIN'`,
    [company.id],
  );

describe('leaving a company', () => {
  it('a member who leaves has no membership there any more, nor in its business units', async () => {
    const { id, token } = await member();
    expect(await leave(token)).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(await leave(token)).toMatchObject({ status: 404, code: 'not_found' });
    expect(
      await service.sql('SELECT is_active FROM business_unit_memberships WHERE user_id = $1', [id]),
    ).toEqual([{ is_active: false }]);
    const [row] = (await company.audit()).filter(({ event }) => event === 'membership_left');
    expect(row).toMatchObject({
      actor_user_id: id,
      subject_user_id: id,
      details: { previous: { role: 'MEMBER', isActive: true } },
    });
  });

  it('a member leaves after a recent sign-in only, and no company that is not theirs', async () => {
    const { token } = await company.member();
    expect(await leave(token)).toMatchObject({ status: 401, code: 'reauthentication_required' });
    const stranger = asSignedInByPassword(await signedInUser(service));
    expect(await leave(stranger.token)).toMatchObject({ status: 404 });
  });

  it('the last TENANT_SUPERADMIN does not leave, and one of two does', async () => {
    const [one, two] = [await member('TENANT_SUPERADMIN'), await member('TENANT_SUPERADMIN')];
    expect((await leave(one.token)).status).toBe(200);
    const refused = await leave(two.token);
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    expect(refused.message).toContain('last TENANT_SUPERADMIN');
    expect(await superadmins()).toEqual([{ user_id: two.id }]);
  });

  it('of two superadmins who leave at once one stays, in every round', async () => {
    for (let round = 0; round < 10; round++) {
      company = new TestCompany(service);
      const both = [await member('TENANT_SUPERADMIN'), await member('TENANT_SUPERADMIN')];
      const answers = await Promise.all(both.map(({ token }) => leave(token)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await superadmins()).toHaveLength(1);
    }
  });

  it.each(['is_active = false', "approval_status = 'PENDING'", "approval_status = 'REJECTED'"])(
    'a superadmin who may not sign in, since %s, does not count as another one',
    async (change) => {
      const [one, two] = [await member('TENANT_SUPERADMIN'), await member('TENANT_SUPERADMIN')];
      await service.sql(`UPDATE users SET ${change} WHERE id = $1`, [two.id]);
      expect((await leave(one.token)).status).toBe(409);
    },
  );
});

describe('the last superadmin of a company', () => {
  it('staff neither lower nor end the last one, and machines may', async () => {
    const last = await member('TENANT_SUPERADMIN');
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    for (const change of [{ role: 'ADMIN' }, { isActive: false }]) {
      const body = { userId: last.id, ...change };
      expect(await company.bearer(staff.token, 'POST', '/memberships', body)).toMatchObject({ status: 409 });
    }
    const body = { userId: last.id, permissionGrants: ['p'] };
    expect((await company.bearer(staff.token, 'POST', '/memberships', body)).status).toBe(200);
    expect((await company.machine('POST', '/memberships', { userId: last.id, role: 'ADMIN' })).status).toBe(
      200,
    );
  });
});
