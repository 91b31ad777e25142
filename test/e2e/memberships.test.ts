import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mintTokens } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import type { TestUser } from '../support/test-users.js';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const NO_DELEGATION = {
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
};

let service: TestService;
let company: TestCompany;
let user: TestUser;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  company = new TestCompany(service);
  user = await service.createUser();
});

describe('a company membership', () => {
  it('a company membership is made with defaults from a user alone', async () => {
    expect(await company.upsert({ userId: user.id.toUpperCase() })).toEqual({
      id: UUID,
      userId: user.id,
      companyId: company.id,
      role: 'MEMBER',
      isActive: true,
      approvalLimit: null,
      financeRole: null,
      isPrimaryFinanceAdmin: false,
      moduleGrants: [],
      permissionGrants: [],
      delegation: NO_DELEGATION,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    });
  });

  it('a company membership is one row however often it is written', async () => {
    const first = await company.upsert({ userId: user.id, role: 'ADMIN' });
    const second = await company.upsert({ userId: user.id, role: 'AUDITOR_2' });
    expect(second).toMatchObject({ id: first.id, role: 'AUDITOR_2', createdAt: first.createdAt });
    expect(await company.rows()).toMatchObject({ places: [{ id: first.id }] });
  });

  it('a company membership keeps what a write leaves out and replaces the lists it holds', async () => {
    const all = {
      role: 'ADMIN',
      approvalLimit: '1000.50',
      moduleGrants: ['events', 'tickets'],
      permissionGrants: ['events:read', 'tickets:sell'],
      delegation: { canManageUsers: true, grantableModules: ['events'] },
    };
    await company.upsert({ userId: user.id, ...all });
    const delegation = { ...NO_DELEGATION, ...all.delegation };
    expect(await company.upsert({ userId: user.id })).toMatchObject({ ...all, delegation });

    const change = { permissionGrants: ['venues:read'], delegation: { canBuyAddons: true } };
    expect(await company.upsert({ userId: user.id, ...change, moduleGrants: [] })).toMatchObject({
      role: 'ADMIN',
      approvalLimit: '1000.50',
      moduleGrants: [],
      permissionGrants: ['venues:read'],
      delegation: { ...delegation, canBuyAddons: true },
    });
    expect(await company.upsert({ userId: user.id, approvalLimit: null })).toMatchObject({
      approvalLimit: null,
    });
  });

  it('a company membership takes 500 keys, a key that is there twice counting once', async () => {
    const keys = Array.from({ length: 500 }, (_, n) => `m${String(n).padStart(3, '0')}`);
    const { moduleGrants } = await company.upsert({ userId: user.id, moduleGrants: keys });
    expect(moduleGrants).toEqual(keys);
    const twice = await company.upsert({ userId: user.id, moduleGrants: ['a', 'a'] });
    expect(twice.moduleGrants).toEqual(['a']);
  });

  it('a company membership ends with every membership of its business units, and with the primaries', async () => {
    await company.join(user.id, { unit: company.unit });
    await service.sql(
      `UPDATE business_unit_memberships SET finance_role = 'APPROVER', is_primary_approver = true WHERE user_id = $1`,
      [user.id],
    );
    await service.sql('UPDATE company_memberships SET is_primary_finance_admin = true WHERE user_id = $1', [
      user.id,
    ]);
    const ended = await company.upsert({ userId: user.id, isActive: false });
    expect(ended).toMatchObject({ isActive: false, isPrimaryFinanceAdmin: false });
    expect(await company.rows()).toMatchObject({
      units: [{ is_active: false, is_primary_approver: false }],
    });
    const context = await service.machine('GET', `/internal/admin/users/${user.id}/context`);
    expect(context.data).toMatchObject({ companyMemberships: [], businessUnitMemberships: [] });
  });

  it('a company membership of an unknown user is not found', async () => {
    const answer = await company.machine('POST', '/memberships', { userId: randomUUID() });
    expect(answer).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('a company membership written 20 times at once is one row', async () => {
    const body = { userId: user.id, role: 'ADMIN', moduleGrants: ['a', 'b'], permissionGrants: ['p'] };
    const writes = Array.from({ length: 20 }, () => company.machine('POST', '/memberships', body));
    const answers = await Promise.all(writes);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await company.rows()).toMatchObject({ places: [{ role: 'ADMIN' }] });
    expect(await company.rules(user.id)).toEqual(['a GRANT MEMBER', 'b GRANT MEMBER']);
    const created = (await company.audit()).filter(({ event }) => event === 'membership_created');
    expect(created).toHaveLength(1);
  });

  it('a company membership is audited with what was written and what was before', async () => {
    await company.upsert({ userId: user.id });
    await company.upsert({ userId: user.id, role: 'ADMIN', permissionGrants: ['p'] });
    expect(await company.audit()).toMatchObject([
      { event: 'membership_created', actor: 'machine:internal-key', subject_user_id: user.id },
      {
        event: 'membership_updated',
        outcome: 'success',
        request_id: expect.any(String) as string,
        details: { role: 'ADMIN', permissionGrants: ['p'], previous: { role: 'MEMBER', isActive: true } },
      },
    ]);
  });
});

describe('module rules', () => {
  const TEAM = { moduleKey: 'venues', effect: 'GRANT', source: 'TEAM', teamId: randomUUID() };
  const DENY = { moduleKey: 'tickets', effect: 'DENY', source: 'MEMBER' };

  it('module rules of the member follow the module grants; denies and those of teams stay', async () => {
    await company.upsert({ userId: user.id, moduleRules: [TEAM, DENY] });
    await company.upsert({ userId: user.id, moduleGrants: ['events', 'tickets'] });
    const kept = ['tickets DENY MEMBER', 'venues GRANT TEAM'];
    const grants = ['events GRANT MEMBER', 'tickets GRANT MEMBER'];
    expect(await company.rules(user.id)).toEqual([...grants, ...kept].sort());
    await company.upsert({ userId: user.id, moduleGrants: [] });
    expect(await company.rules(user.id)).toEqual(kept);
    await company.upsert({ userId: user.id, role: 'ADMIN' });
    expect(await company.rules(user.id)).toEqual(kept);
  });

  it('module rules replace all existing ones, one that is there twice counting once', async () => {
    await company.upsert({ userId: user.id, moduleGrants: ['events'] });
    const written = await company.upsert({ userId: user.id, moduleRules: [DENY, TEAM, DENY] });
    expect(written.moduleGrants).toEqual(['events']);
    expect(await company.rules(user.id)).toEqual(['tickets DENY MEMBER', 'venues GRANT TEAM']);
  });

  it('module rules and module grants of one write are both kept', async () => {
    await company.upsert({ userId: user.id, moduleGrants: ['old'] });
    await company.upsert({ userId: user.id, moduleGrants: ['events'], moduleRules: [DENY] });
    expect(await company.rules(user.id)).toEqual(['events GRANT MEMBER', 'tickets DENY MEMBER']);
  });
});

describe('a business-unit membership', () => {
  const path = () => `/business-units/${company.unit}/memberships`;

  it('a unit membership is made below an active company membership, and switched off and on', async () => {
    await company.join(user.id);
    const answer = await company.machine('POST', path(), { userId: user.id });
    const membership = {
      id: UUID,
      userId: user.id,
      companyId: company.id,
      businessUnitId: company.unit,
      isActive: true,
      financeRole: null,
      approvalLimit: null,
      isPrimaryApprover: false,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    };
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.data).toEqual(membership);
    for (const isActive of [false, true]) {
      const again = await company.machine('POST', path(), { userId: user.id, isActive });
      expect(again.data).toMatchObject({ id: answer.data.id, isActive });
    }
    expect((await company.audit()).map(({ event }) => event)).toEqual(
      Array(3).fill('business_unit_membership_changed'),
    );
  });

  it('a unit membership without an active company membership is a conflict and writes nothing', async () => {
    const stranger = await company.machine('POST', path(), { userId: user.id });
    expect(stranger).toMatchObject({ status: 409, code: 'conflict' });
    await company.join(user.id, { active: false });
    const former = await company.machine('POST', path(), { userId: user.id });
    expect(former).toMatchObject({ status: 409, code: 'conflict' });
    expect(await company.rows()).toMatchObject({ units: [] });
  });

  it('a unit membership of an unknown user is not found', async () => {
    const answer = await company.machine('POST', path(), { userId: randomUUID() });
    expect(answer).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('a unit membership that is switched off loses its part in the finance workflow', async () => {
    await company.join(user.id, { unit: company.unit });
    await service.sql(
      `UPDATE business_unit_memberships SET finance_role = 'APPROVER', is_primary_approver = true WHERE user_id = $1`,
      [user.id],
    );
    const answer = await company.machine('POST', path(), { userId: user.id, isActive: false });
    expect(answer.data).toMatchObject({ isActive: false, isPrimaryApprover: false, financeRole: null });
  });
});

describe('bad input', () => {
  const key = 'x'.repeat(101);
  const rule = { moduleKey: 'a', effect: 'GRANT', source: 'MEMBER' };
  const BODIES: [string, object][] = [
    ['userId', {}],
    ['userId', { userId: 'x' }],
    ['userId', { userId: null }],
    ['role', { role: 'admin' }],
    ['role', { role: '' }],
    ['role', { role: 'A'.repeat(65) }],
    ['role', { role: '1A' }],
    ['role', { role: 'ADMIN ' }],
    ['role', { role: null }],
    ['isActive', { isActive: 'true' }],
    ['approvalLimit', { approvalLimit: 1000.5 }],
    ['approvalLimit', { approvalLimit: '-1' }],
    ['approvalLimit', { approvalLimit: '1e3' }],
    ['approvalLimit', { approvalLimit: '1.23456' }],
    ['approvalLimit', { approvalLimit: '1'.repeat(16) }],
    ['approvalLimit', { approvalLimit: '١٢' }],
    ['moduleGrants', { moduleGrants: 'events' }],
    ['moduleGrants.0', { moduleGrants: ['-a'] }],
    ['moduleGrants.0', { moduleGrants: [key] }],
    ['moduleGrants.1', { moduleGrants: ['a', 1] }],
    ['moduleGrants', { moduleGrants: Array.from({ length: 501 }, (_, n) => `m${n}`) }],
    ['permissionGrants', { permissionGrants: null }],
    ['permissionGrants.0', { permissionGrants: ['a b'] }],
    ['delegation', { delegation: [] }],
    ['delegation.canManageUsers', { delegation: { canManageUsers: 1 } }],
    ['delegation.grantableModules.0', { delegation: { grantableModules: [''] } }],
    ['moduleRules', { moduleRules: {} }],
    ['moduleRules.0.effect', { moduleRules: [{ ...rule, effect: 'ALLOW' }] }],
    ['moduleRules.0.source', { moduleRules: [{ ...rule, source: 'ROLE' }] }],
    ['moduleRules.0.moduleKey', { moduleRules: [{ ...rule, moduleKey: '' }] }],
    ['moduleRules.0.teamId', { moduleRules: [{ ...rule, teamId: randomUUID() }] }],
    ['moduleRules.0.teamId', { moduleRules: [{ ...rule, source: 'TEAM', teamId: 'x' }] }],
  ];

  it.each(BODIES)('bad input in a company membership is refused, naming %s: %j', async (field, body) => {
    const userId = 'userId' in body || field === 'userId' ? {} : { userId: user.id };
    const answer = await company.machine('POST', '/memberships', { ...userId, ...body });
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toContain(`${field}: `);
    expect(await company.rows()).toEqual({ places: [], units: [] });
  });

  it.each([{}, { userId: 'x' }, { isActive: 1 }])(
    'bad input in a unit membership is refused: %j',
    async (body) => {
      await company.join(user.id);
      const userId = 'isActive' in body ? { userId: user.id } : {};
      const path = `/business-units/${company.unit}/memberships`;
      const answer = await company.machine('POST', path, { ...userId, ...body });
      expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
      expect(await company.rows()).toMatchObject({ units: [] });
    },
  );

  it('bad input in a path or a page is refused', async () => {
    const paths = [
      '/x/users',
      '/x/memberships',
      `/${company.id}/business-units/x/users`,
      `/${company.id}/users?limit=0`,
      `/${company.id}/users?offset=-1`,
      `/${company.id}/users?module=a%20b`,
      `/${company.id}/users?limit=1&limit=2`,
    ];
    for (const path of paths) {
      const answer = await service.machine('GET', `/internal/admin/companies${path}`);
      expect(answer, path).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });
});

describe('sessions of a company', () => {
  const sessions = async (): Promise<unknown[]> => {
    const answer = await company.machine('GET', '/sessions');
    expect(answer.headers['x-total-count']).toBe(String(answer.items.length));
    return answer.items.map(({ id }) => id);
  };

  it('sessions of a company are the active ones of its active members, the refreshed with a later use', async () => {
    const member = await company.member();
    await company.member({ active: false });
    await new TestCompany(service).member();
    const second = await mintTokens(service, member.id);
    expect(await sessions()).toHaveLength(2);

    const before = await company.machine('GET', '/sessions?limit=1');
    const [latest] = before.items;
    await service.api('POST', '/auth/refresh', { body: { refreshToken: second.refreshToken } });
    const [used] = (await company.machine('GET', '/sessions?limit=1')).items;
    expect(used).toMatchObject({ id: latest?.id, userId: member.id, email: member.email });
    expect(String(used?.lastUsedAt) > String(latest?.lastUsedAt)).toBe(true);

    await service.machine('POST', `/internal/sessions/${String(latest?.id)}/revoke`);
    expect(await sessions()).toHaveLength(1);
    await company.upsert({ userId: member.id, isActive: false });
    expect(await sessions()).toEqual([]);
  });
});
