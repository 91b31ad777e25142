import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

const CONFLICT = { status: 409, code: 'conflict' };

let service: TestService;
let owner: TestCompany;
let other: TestCompany;
let unit: string;
let admin: SignedInTestUser;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  [owner, other, unit] = [new TestCompany(service), new TestCompany(service), randomUUID()];
  admin = await other.member({ role: 'ADMIN' });
});

const path = () => `/business-units/${unit}/memberships`;
const companiesOf = async () =>
  (
    await service.sql(
      'SELECT DISTINCT company_id FROM business_unit_memberships WHERE business_unit_id = $1',
      [unit],
    )
  ).map(({ company_id: id }) => id);

describe('a unit in use by a company', () => {
  beforeEach(async () => {
    await owner.member({ unit });
  });

  it('a unit in use by a company cannot be used by another, neither by its users nor by machines', async () => {
    const answers = [
      await other.bearer(admin.token, 'POST', path(), { userId: admin.id }),
      await other.machine('POST', path(), { userId: admin.id }),
      await other.machine('POST', path(), { userId: admin.id, isActive: false }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject(CONFLICT);
      expect(answer.message).toContain('another company');
    }
    expect(await companiesOf()).toEqual([owner.id]);
  });

  it('a unit stays with its company when all its memberships have ended', async () => {
    await service.sql('UPDATE business_unit_memberships SET is_active = false WHERE business_unit_id = $1', [
      unit,
    ]);
    expect(await other.machine('POST', path(), { userId: admin.id })).toMatchObject(CONFLICT);
  });

  it('a unit can be used further by its company', async () => {
    const member = await owner.member();
    expect(await owner.machine('POST', path(), { userId: member.id })).toMatchObject({ status: 200 });
  });
});

describe('a unit that two companies already share', () => {
  let second: SignedInTestUser;
  beforeEach(async () => {
    await owner.member({ unit });
    second = await other.member({ unit });
  });

  it('a shared unit has no finance workflow under the second, so it has one primary approver', async () => {
    const body = { financeRole: 'APPROVER', isPrimaryApprover: true };
    const finance = `/business-units/${unit}/finance-memberships/${second.id}`;
    const byMachine = await other.machine('PATCH', finance, body, { 'x-actor-user-id': admin.id });
    expect(byMachine).toMatchObject(CONFLICT);
    expect(await other.bearer(admin.token, 'PATCH', finance, body)).toMatchObject(CONFLICT);
  });

  it('a shared unit can be left by the members of the second company, who cannot return', async () => {
    const left = await other.machine('POST', path(), { userId: second.id, isActive: false });
    expect(left).toMatchObject({ status: 200, data: { isActive: false } });
    expect(await other.machine('POST', path(), { userId: second.id, isActive: true })).toMatchObject(
      CONFLICT,
    );
  });
});

it('of two companies that first use a unit at the same time, one gets it', async () => {
  for (let round = 0; round < 10; round++) {
    unit = randomUUID();
    const [one, two] = [await owner.member(), await other.member()];
    const answers = await Promise.all([
      owner.machine('POST', path(), { userId: one.id }),
      other.machine('POST', path(), { userId: two.id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await companiesOf()).toHaveLength(1);
  }
});

it('a first use that fails leaves the unit free', async () => {
  expect(await owner.machine('POST', path(), { userId: randomUUID() })).toMatchObject({ status: 404 });
  expect(await other.machine('POST', path(), { userId: admin.id })).toMatchObject({ status: 200 });
});
