import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { CoreService } from '../../examples/core-service/core-service.js';
import { mintActing } from '../support/acting.js';
import type { Answer } from '../support/api-client.js';
import { FIXTURE_ENV } from '../support/body-fixtures.js';
import { insertInvitation } from '../support/insert-invitation.js';
import { asSignedInByPassword, signedInUser } from '../support/minted-token.js';
import { nameOf } from '../support/route-request.js';
import { RouteWalker } from '../support/route-walker.js';
import { startTestService, type TestService } from '../support/service.js';
import { SPECIFIED } from '../support/specified-endpoints.js';
import { TestCompany } from '../support/test-company.js';

const CORE_KEY = 'key-of-the-core-service';

let core: CoreService;
let service: TestService;
beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({
    env: { ...FIXTURE_ENV, CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY, WEBHOOKS: 'all' },
  });
});
afterAll(async () => {
  await service.stop();
  await core.stop();
});

function newCompany(entitlements: object = {}): TestCompany {
  const company = new TestCompany(service);
  core.set(company.id, { modules: ['stock', 'billing'], ...entitlements });
  return company;
}

/** Returns the problem details of a response, without those of the request. */
function bodyOf({ status, body }: Answer): Record<string, unknown> {
  const { requestId: _request, instance: _instance, ...problem } = body as Record<string, unknown>;
  return { ...problem, status };
}

const entriesOf = async (company: TestCompany, token: string, query = '') => {
  const answer = await company.bearer(token, 'GET', `/audit-logs${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

describe('a company as its administrators see it', () => {
  it('the details of a company are its entitlements, its name, and how many belong to it', async () => {
    const company = newCompany({
      name: 'Northwind Freight',
      permissions: ['invoices:read'],
      requireSecondFactor: false,
    });
    const admin = await company.member({ role: 'ADMIN' });
    await company.member();
    await company.member({ active: false });
    await insertInvitation(service.sql, { companyId: company.id });
    expect((await company.bearer(admin.token, 'GET', '')).data).toEqual({
      id: company.id,
      name: 'Northwind Freight',
      modules: ['billing', 'stock'],
      permissions: ['invoices:read'],
      accessPolicyMode: 'LEGACY',
      requiresSecondFactor: false,
      counts: { activeMembers: 2, openInvitations: 1 },
    });
    const access = await service.api('GET', '/auth/me/access', {
      token: admin.token,
      headers: { 'x-org': company.id },
    });
    expect(access.data.metadata).toMatchObject({ companyName: 'Northwind Freight' });
  });

  it('a company without a name and limits has neither, and an unknown one is refused', async () => {
    const company = newCompany();
    const staff = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
    const { data } = await company.bearer(staff.token, 'GET', '');
    expect(data).toEqual({
      id: company.id,
      modules: ['billing', 'stock'],
      accessPolicyMode: 'LEGACY',
      requiresSecondFactor: false,
      counts: { activeMembers: 0, openInvitations: 0 },
    });
    const unknown = await service.api('GET', `/internal/companies/${randomUUID()}`, { token: staff.token });
    expect(unknown).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('staff and administrators read the details, and those who may change memberships the audit log', async () => {
    const company = newCompany();
    const other = newCompany();
    const callers = {
      superadmin: await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' }),
      admin: await signedInUser(service, { role: 'PLATFORM_ADMIN' }),
      moderator: await signedInUser(service, { role: 'PLATFORM_MODERATOR' }),
      tenant: await company.member({ role: 'TENANT_SUPERADMIN' }),
      companyAdmin: await company.member({ role: 'ADMIN' }),
      member: await company.member(),
      former: await company.member({ role: 'ADMIN', active: false }),
      elsewhere: await other.member({ role: 'TENANT_SUPERADMIN' }),
    };
    const allowed = async (path: string) => {
      const statuses = await Promise.all(
        Object.entries(callers).map(async ([name, { token }]) => ({
          name,
          status: (await company.bearer(token, 'GET', path)).status,
        })),
      );
      const refusals = statuses.filter(({ status }) => status !== 200);
      const outside = refusals.filter(({ status }) => status === 404).map(({ name }) => name);
      expect(outside).toEqual(['former', 'elsewhere']);
      const inside = refusals.filter(({ name }) => !outside.includes(name));
      expect(inside.filter(({ status }) => status !== 403)).toEqual([]);
      return statuses.filter(({ status }) => status === 200).map(({ name }) => name);
    };
    const readers = ['superadmin', 'admin', 'moderator', 'tenant', 'companyAdmin'];
    expect(await allowed('')).toEqual(readers);
    expect(await allowed(`/users/${callers.member.id}/access`)).toEqual(readers);
    expect(await allowed('/audit-logs')).toEqual(['superadmin', 'admin', 'tenant', 'companyAdmin']);
  });
});

describe('the access of a member, explained to administrators', () => {
  const explain = (company: TestCompany, token: string, userId: string) =>
    service.client.send('GET', `/internal/companies/${company.id}/users/${userId}/access`, {
      token,
      headers: { accept: 'application/problem+json' },
    });

  it('an administrator sees what a member may do, with the reason for each module', async () => {
    const company = newCompany({ accessPolicyMode: 'ENFORCED' });
    const admin = await company.member({ role: 'ADMIN' });
    const member = await company.member({ unit: company.unit });
    await company.upsert({ userId: member.id, moduleGrants: ['stock'] });
    const { status, data } = await explain(company, admin.token, member.id);
    expect(status).toBe(200);
    const { explanation, ...access } = data;
    const own = await service.api('GET', '/auth/me/access', {
      token: member.token,
      headers: { 'x-org': company.id },
    });
    expect(access).toEqual({
      ...own.data,
      metadata: { ...(own.data.metadata as object), resolvedAt: expect.any(String) as string },
    });
    expect(explanation).toEqual([
      { moduleKey: 'billing', isEffective: false, reason: 'not_granted' },
      { moduleKey: 'stock', isEffective: true, reason: 'granted' },
    ]);
  });

  it('everyone but active members is not found, in the same words as a user who does not exist', async () => {
    const [company, other] = [newCompany(), newCompany()];
    const admin = await company.member({ role: 'TENANT_SUPERADMIN' });
    const strangers = [
      await other.member({ role: 'ADMIN' }),
      await company.member({ active: false }),
      await signedInUser(service),
      await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' }),
      await service.createUser({ approval: 'REJECTED' }),
      { id: randomUUID() },
    ];
    const answers = await Promise.all(strangers.map(({ id }) => explain(company, admin.token, id)));
    for (const answer of answers)
      expect(bodyOf(answer)).toEqual({ ...bodyOf(answers[0]!), status: 404, reason: 'membership_not_found' });
  });

  it('the units of a member in other companies are not shown', async () => {
    const [company, other] = [newCompany(), newCompany()];
    const admin = await company.member({ role: 'ADMIN' });
    const member = await company.member({ unit: company.unit });
    await other.join(member.id, { role: 'ADMIN', unit: other.unit });
    const { data, text } = await explain(company, admin.token, member.id);
    expect(data.metadata).toMatchObject({ role: 'MEMBER', businessUnitIds: [company.unit] });
    expect(text).not.toContain(other.id);
    expect(text).not.toContain(other.unit);
  });
});

describe('the audit log of a company', () => {
  /** Changes the role of a new member, which writes a row. */
  async function changeMember(company: TestCompany, token: string): Promise<string> {
    const { id } = await service.createUser({ fullName: 'Ben Changed' });
    await company.join(id);
    const answer = await company.bearer(token, 'POST', '/memberships', { userId: id, role: 'READER' });
    expect(answer.status, answer.text).toBe(200);
    return id;
  }

  it('the log has the entries of its company only, in pages and with names of members', async () => {
    const [company, other] = [newCompany(), newCompany()];
    const admin = await company.member({ role: 'ADMIN', user: { fullName: 'Ada Admin' } });
    const stranger = await other.member({ role: 'ADMIN' });
    const first = await changeMember(company, admin.token);
    await changeMember(other, stranger.token);
    const second = await changeMember(company, admin.token);

    const newest = await entriesOf(company, admin.token, '?limit=1&event=membership_updated');
    expect(newest.items).toMatchObject([
      { companyId: company.id, subjectUserId: second, actorName: 'Ada Admin', subjectName: 'Ben Changed' },
    ]);
    const cursor = String(newest.headers['x-next-cursor']);
    const older = await entriesOf(
      company,
      admin.token,
      `?limit=1&event=membership_updated&cursor=${encodeURIComponent(cursor)}`,
    );
    expect(older.items).toMatchObject([{ companyId: company.id, subjectUserId: first }]);
    const all = await entriesOf(company, admin.token);
    expect(new Set(all.items.map(({ companyId }) => companyId))).toEqual(new Set([company.id]));

    const tail = await entriesOf(company, admin.token, '?tail=true&limit=100');
    const third = await changeMember(company, admin.token);
    const next = encodeURIComponent(String(tail.headers['x-next-cursor']));
    const fresh = await entriesOf(company, admin.token, `?tail=true&cursor=${next}`);
    expect(fresh.items.map(({ subjectUserId }) => subjectUserId)).toContain(third);
  });

  it('a filter by another company has no effect: the path decides alone', async () => {
    const [company, other] = [newCompany(), newCompany()];
    const admin = await company.member({ role: 'ADMIN' });
    await changeMember(company, admin.token);
    const stranger = await other.member({ role: 'ADMIN' });
    await changeMember(other, stranger.token);
    const { items } = await entriesOf(company, admin.token, `?companyId=${other.id}`);
    expect(new Set(items.map(({ companyId }) => companyId))).toEqual(new Set([company.id]));
  });

  it('network addresses and browsers are those of members, never of staff, machines and others', async () => {
    const company = newCompany();
    const admin = await company.member({ role: 'TENANT_SUPERADMIN' });
    const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN', fullName: 'Grace Staff' });
    const staffMember = await company.member({ role: 'ADMIN', user: { role: 'PLATFORM_ADMIN' } });
    const acting = await mintActing(service, admin.id, { actorUserId: staff.id });
    const outsider = await signedInUser(service);
    await changeMember(company, admin.token);
    await changeMember(company, staff.token);
    await changeMember(company, staffMember.token);
    await company.bearer(acting.token, 'POST', '/memberships', { userId: admin.id });
    await company.upsert({ userId: (await service.createUser()).id });
    await service.sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, actor_user_id, company_id, ip_address, user_agent)
       VALUES ($1, 'access_denied', 'denied', 'user', $2, $3, '192.0.2.9', 'Outsider')`,
      [randomUUID(), outsider.id, company.id],
    );
    await service.sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, actor_user_id, company_id, ip_address, user_agent, acted_by_user_id)
       VALUES ($1, 'profile_updated', 'success', 'user', $2, $3, '192.0.2.10', 'Support', $4)`,
      [randomUUID(), admin.id, company.id, staff.id],
    );

    const { items } = await entriesOf(company, admin.token, '?limit=100');
    const shown = items.filter(({ ipAddress, userAgent }) => ipAddress !== null || userAgent !== null);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown.map(({ actorUserId }) => actorUserId))).toEqual(new Set([admin.id]));
    expect(shown.filter(({ actedByUserId }) => actedByUserId !== null)).toEqual([]);
    const named = items.find(({ actorUserId }) => actorUserId === staff.id);
    expect(named).toMatchObject({ actorName: null, ipAddress: null, userAgent: null });
    expect(items.some(({ actor }) => String(actor).startsWith('machine:'))).toBe(true);
  });
});

describe('the routes of a company', () => {
  const OF_COMPANY = allRoutes.filter(
    ({ caller, path, headers }) =>
      caller.security.endsWith('bearer') &&
      (path.includes('{companyId}') || path.startsWith('/auth/invitations')) &&
      (path.includes('{companyId}') || 'x-org' in headers.shape),
  );

  it('an administrator of another company gets nothing from any route, and changes nothing', async () => {
    const attacker = asSignedInByPassword(await newCompany().member({ role: 'TENANT_SUPERADMIN' }));
    const company = newCompany();
    const walker = new RouteWalker(service, company);
    expect(OF_COMPANY.length).toBeGreaterThan(30);
    for (const route of OF_COMPANY) {
      const answer = await walker.call(route, attacker.token);
      expect([403, 404], `${nameOf(route)}: ${answer.text}`).toContain(answer.status);
    }
    const rows = await company.audit();
    const done = rows.filter((row) => row.actor_user_id === attacker.id && row.outcome === 'success');
    expect(done).toEqual([]);
    const own = await service.sql(
      'SELECT 1 FROM company_memberships WHERE user_id = $1 AND company_id = $2',
      [attacker.id, company.id],
    );
    expect(own).toEqual([]);
  });

  it('a route that goes beyond the specification answers about another company as about one that does not exist', async () => {
    const attacker = asSignedInByPassword(await newCompany().member({ role: 'TENANT_SUPERADMIN' }));
    const walker = new RouteWalker(service, newCompany());
    const unknown = randomUUID();
    const specified = new Set(SPECIFIED.map(([, method, path]) => `${method} ${path}`));
    for (const route of OF_COMPANY.filter(({ path }) => path.startsWith('/internal/'))) {
      const name = nameOf(route);
      const [foreign, none] = [
        await walker.call(route, attacker.token),
        await walker.call(route, attacker.token, unknown),
      ];
      expect(bodyOf(foreign), name).toEqual(bodyOf(none));
      const { status, code, reason } = bodyOf(foreign);
      expect({ status, code, reason }, name).toEqual(
        specified.has(name)
          ? { status: 403, code: 'forbidden', reason: 'forbidden' }
          : { status: 404, code: 'not_found', reason: 'company_not_found' },
      );
    }
  });

  it('a request about another company is in the audit log of the platform, whatever its answer', async () => {
    const attacker = await newCompany().member({ role: 'ADMIN' });
    const company = newCompany();
    for (const path of ['', '/users']) await company.bearer(attacker.token, 'GET', path);
    const rows = await service.sql(
      `SELECT details->>'path' AS path FROM auth_audit_logs WHERE event = 'access_denied' AND actor_user_id = $1 ORDER BY 1`,
      [attacker.id],
    );
    expect(rows).toEqual([
      { path: '/internal/companies/{companyId}' },
      { path: '/internal/companies/{companyId}/users' },
    ]);
  });
});
