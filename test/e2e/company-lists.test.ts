import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../packages/core/src/storage/database.js';
import type { Answer } from '../support/api-client.js';
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

const LISTS: [string, () => string][] = [
  ['users of a company', () => '/users'],
  ['memberships of a company', () => '/memberships'],
  ['users of a business unit', () => `/business-units/${company.unit}/users`],
];

const list = (path: string): Promise<Answer> => company.machine('GET', path);

/** Members of the company and its unit, the newest first. */
async function people(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const user = await service.createUser({ fullName: `Person ${n}` });
    await company.join(user.id, { unit: company.unit });
    await company.upsert({ userId: user.id, moduleGrants: ['events'], permissionGrants: ['p'] });
    ids.unshift(user.id);
  }
  return ids;
}

const userIdOf = (item: Record<string, unknown>): unknown => item.userId ?? item.id;

describe.each(LISTS)('the %s', (_what, path) => {
  it('the lists are a bare array with the total beside it, newest first, in pages', async () => {
    const ids = await people(5);
    const all = await list(path());
    expect(all.items.map(userIdOf)).toEqual(ids);
    const page = await list(`${path()}?limit=2&offset=1`);
    expect(page.items.map(userIdOf)).toEqual(ids.slice(1, 3));
    const beyond = await list(`${path()}?offset=5`);
    expect(beyond.items).toEqual([]);
    for (const { headers } of [all, page, beyond]) expect(headers['x-total-count']).toBe('5');
  });

  it('the lists of an unknown company are empty', async () => {
    const answer = await list(path());
    expect(answer).toMatchObject({ status: 200, items: [] });
    expect(answer.headers['x-total-count']).toBe('0');
  });

  it('the lists accept a limit of 100,000 and clamp greater ones', async () => {
    await people(1);
    for (const limit of [100_000, 2_000_000_000]) {
      expect((await list(`${path()}?limit=${limit}`)).items).toHaveLength(1);
    }
  });

  it('the lists need as many queries for twelve users as for one', async () => {
    await people(1);
    const forOne = await fewestQueries(() => list(path()));
    expect(forOne).toBeGreaterThan(0);
    await people(11);
    expect((await list(path())).items).toHaveLength(12);
    expect(await fewestQueries(() => list(path()))).toBe(forOne);
  });
});

/** Returns the number of database queries of a piece of work: the least of five runs, since background work queries too. */
async function fewestQueries(work: () => Promise<unknown>): Promise<number> {
  const methods = ['query', 'queryOnConnection', 'run', 'transaction'] as const;
  const spies = methods.map((method) => vi.spyOn(Database.prototype, method));
  const asked = () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  try {
    const counts: number[] = [];
    while (counts.length < 5) {
      const before = asked();
      await work();
      counts.push(asked() - before);
    }
    return Math.min(...counts);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('the users of a company', () => {
  it('the users of a company are its active members, each with a summary and the membership', async () => {
    const user = await company.member({ role: 'ADMIN' });
    await company.member({ active: false });
    await new TestCompany(service).join(user.id, { role: 'MEMBER' });
    const membership = await company.upsert({
      userId: user.id,
      moduleGrants: ['events', 'artists'],
      delegation: { canBuyAddons: true },
    });
    expect((await list('/users')).items).toEqual([
      {
        id: user.id,
        email: user.email,
        fullName: user.fullName,
        globalRole: 'NONE',
        approvalStatus: 'APPROVED',
        isActive: true,
        membership,
      },
    ]);
    expect(membership).toMatchObject({ role: 'ADMIN', moduleGrants: ['artists', 'events'] });
  });

  it('the users of a company include deactivated accounts, marked as such', async () => {
    const user = await service.createUser({ active: false });
    await company.join(user.id);
    expect((await list('/users')).items).toMatchObject([{ id: user.id, isActive: false }]);
  });
});

describe('the memberships of a company', () => {
  it('the memberships of a company are all, active or not, with user and all business units of that company', async () => {
    const user = await service.createUser();
    const elsewhere = new TestCompany(service);
    await elsewhere.join(user.id, { unit: elsewhere.unit });
    await company.join(user.id, { unit: company.unit });
    const former = await service.createUser();
    await company.join(former.id, { active: false });
    const { items } = await list('/memberships');
    expect(items).toMatchObject([
      { userId: former.id, isActive: false, user: { id: former.id }, businessUnitMemberships: [] },
      {
        userId: user.id,
        isActive: true,
        delegation: { canManageUsers: false },
        user: { id: user.id, email: user.email, fullName: user.fullName, globalRole: 'NONE' },
        businessUnitMemberships: [
          { userId: user.id, companyId: company.id, businessUnitId: company.unit, isActive: true },
        ],
      },
    ]);
    expect(Object.keys(items[0]?.user as object)).toEqual([
      'id',
      'email',
      'fullName',
      'globalRole',
      'approvalStatus',
      'isActive',
    ]);
  });
});

describe('the users of a business unit', () => {
  it('the users of a business unit are its active members, each with the membership of the unit', async () => {
    const user = await company.member({ unit: company.unit });
    await company.member();
    await company.member({ unit: randomUUID() });
    const former = await company.member({ unit: company.unit });
    const path = `/business-units/${company.unit}`;
    await company.machine('POST', `${path}/memberships`, { userId: former.id, isActive: false });
    expect((await list(`${path}/users`)).items).toMatchObject([
      {
        id: user.id,
        email: user.email,
        membership: { userId: user.id, businessUnitId: company.unit, isPrimaryApprover: false },
      },
    ]);
  });
});
