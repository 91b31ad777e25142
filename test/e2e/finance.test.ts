import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

let service: TestService;
let company: TestCompany;
/** In whose name the machine writes. */
let actor: SignedInTestUser;
let member: SignedInTestUser;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  company = new TestCompany(service);
  actor = await company.member({ unit: company.unit });
  member = await company.member({ unit: company.unit });
});

type Scope = 'company' | 'limit' | 'unit';
const SCOPES: Scope[] = ['company', 'limit', 'unit'];

const pathOf = (scope: Scope, userId: string): string => {
  if (scope === 'company') return `/finance-memberships/${userId}`;
  if (scope === 'limit') return `/company-approval-limit/${userId}`;
  return `/business-units/${company.unit}/finance-memberships/${userId}`;
};

const patch = (scope: Scope, body: unknown, to = member.id, actorId: string = actor.id): Promise<Answer> =>
  company.machine('PATCH', pathOf(scope, to), body, { 'x-actor-user-id': actorId });

describe.each(SCOPES)('an approval limit (%s)', (scope) => {
  it('an approval limit is kept and answered exactly as given; null is unlimited', async () => {
    for (const approvalLimit of ['1000.50', '0', '007.1000', '999999999999999.9999', null]) {
      const answer = await patch(scope, { approvalLimit });
      expect(answer).toMatchObject({ status: 200, data: { userId: member.id, approvalLimit } });
    }
  });

  it('an approval limit that is no decimal is refused and nothing is written', async () => {
    const before = await company.rows();
    for (const approvalLimit of [1000.5, 0, '', '-1', '1.', '.5', '1,5', '1e3', '1.00000', '١٢', true, {}]) {
      const answer = await patch(scope, { approvalLimit });
      expect(answer, JSON.stringify(approvalLimit)).toMatchObject({ status: 400, code: 'validation_error' });
      expect(answer.message).toContain('approvalLimit: ');
    }
    expect(await company.rows()).toEqual(before);
  });
});

describe.each(SCOPES)('the actor of a machine write (%s)', (scope) => {
  const body = { approvalLimit: '5' };
  const refused = async (actorId: string | undefined, status: number, code: string): Promise<void> => {
    const before = await company.rows();
    const headers = actorId === undefined ? {} : { 'x-actor-user-id': actorId };
    const answer = await company.machine('PATCH', pathOf(scope, member.id), body, headers);
    expect(answer).toMatchObject({ status, code });
    expect(await company.rows()).toEqual(before);
  };

  it('the actor of a machine write must be named, by a UUID', async () => {
    for (const actorId of [undefined, '', 'x', `${actor.id}, ${actor.id}`, `{${actor.id}}`]) {
      await refused(actorId, 400, 'validation_error');
    }
  });

  it('the actor of a machine write must be an active member of the company who can sign in', async () => {
    const stranger = await service.createUser();
    const former = await company.member({ active: false });
    const superadmin = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const deactivated = await company.member();
    await service.sql('UPDATE users SET is_active = false WHERE id = $1', [deactivated.id]);
    for (const { id } of [stranger, former, superadmin, deactivated]) await refused(id, 403, 'forbidden');
    await refused(randomUUID(), 403, 'forbidden');
  });

  it('the actor of a machine write needs no role: the caller has authorised them', async () => {
    expect(await patch(scope, body, member.id, actor.id.toUpperCase())).toMatchObject({ status: 200 });
  });

  it('the actor of a machine write is recorded with the machine that wrote', async () => {
    await patch(scope, body);
    expect((await company.audit()).at(-1)).toMatchObject({
      event: 'finance_changed',
      outcome: 'success',
      actor: 'user',
      actor_user_id: actor.id,
      subject_user_id: member.id,
      details: { approvalLimit: '5', writtenBy: 'machine:internal-key' },
    });
  });
});

describe.each(SCOPES)('a user who is no active member (%s)', (scope) => {
  it('a user who is no active member is not found and gets no row', async () => {
    const stranger = await service.createUser();
    const former = await company.member({ active: false });
    const before = await company.rows();
    for (const userId of [stranger.id, former.id, randomUUID()]) {
      const answer = await patch(scope, { approvalLimit: '5' }, userId);
      expect(answer).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(await company.rows()).toEqual(before);
  });
});

it('a member without an active membership of the unit is not found there', async () => {
  const outside = await company.member();
  const former = await company.member({ unit: company.unit });
  await company.machine('POST', `/business-units/${company.unit}/memberships`, {
    userId: former.id,
    isActive: false,
  });
  for (const { id } of [outside, former]) {
    expect(await patch('unit', { approvalLimit: '5' }, id)).toMatchObject({ status: 404 });
  }
  expect(await patch('unit', { approvalLimit: '5' })).toMatchObject({ status: 200 });
});

describe('bad input', () => {
  it.each<[Scope, unknown]>([
    ['company', {}],
    ['unit', {}],
    ['limit', {}],
    ['company', { isPrimaryApprover: true }],
    ['unit', { isPrimaryFinanceAdmin: true }],
    ['company', { financeRole: 'approver' }],
    ['unit', { financeRole: '' }],
    ['company', { isPrimaryFinanceAdmin: 'true' }],
    ['unit', { isPrimaryApprover: null }],
    ['company', []],
  ])('bad input is refused (%s): %j', async (scope, body) => {
    const before = await company.rows();
    expect(await patch(scope, body)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await company.rows()).toEqual(before);
  });

  it('bad input in the path is refused', async () => {
    for (const scope of SCOPES)
      expect(await patch(scope, { approvalLimit: '1' }, 'x')).toMatchObject({ status: 400 });
  });
});

it('the route of the approval limit changes that field alone', async () => {
  await patch('company', { financeRole: 'SUBMITTER', isPrimaryFinanceAdmin: true });
  const answer = await patch('limit', {
    approvalLimit: '7',
    financeRole: null,
    isPrimaryFinanceAdmin: false,
  });
  expect(answer.data).toMatchObject({
    approvalLimit: '7',
    financeRole: 'SUBMITTER',
    isPrimaryFinanceAdmin: true,
  });
});

it('a patch keeps what it leaves out', async () => {
  await patch('company', { financeRole: 'APPROVER', approvalLimit: '7' });
  const answer = await patch('company', { financeRole: null });
  expect(answer.data).toMatchObject({ financeRole: null, approvalLimit: '7', isPrimaryFinanceAdmin: false });
});

it('the grants of a membership outlive its finance fields', async () => {
  await company.upsert({ userId: member.id, moduleGrants: ['events'], delegation: { canBuyAddons: true } });
  const answer = await patch('company', { approvalLimit: '1' });
  expect(answer.data).toMatchObject({ moduleGrants: ['events'], delegation: { canBuyAddons: true } });
});

describe('a primary approver', () => {
  it('a primary approver must be an APPROVER, by that patch or before', async () => {
    const conflict = { status: 409, code: 'conflict' };
    expect(await patch('unit', { isPrimaryApprover: true })).toMatchObject(conflict);
    expect(await patch('unit', { isPrimaryApprover: true, financeRole: 'SUBMITTER' })).toMatchObject(
      conflict,
    );
    const both = await patch('unit', { isPrimaryApprover: true, financeRole: 'APPROVER' });
    expect(both.data).toMatchObject({ isPrimaryApprover: true, financeRole: 'APPROVER' });
    for (const financeRole of ['SUBMITTER', null]) {
      expect(await patch('unit', { financeRole })).toMatchObject(conflict);
    }
    const resigned = await patch('unit', { isPrimaryApprover: false, financeRole: null });
    expect(resigned.data).toMatchObject({ isPrimaryApprover: false, financeRole: null });
  });
});

/** The users who are the primary of a scope: of the company, or of its unit. */
const primaries = async (scope: Scope): Promise<unknown[]> => {
  const [table, flag] =
    scope === 'unit'
      ? ['business_unit_memberships', 'is_primary_approver']
      : ['company_memberships', 'is_primary_finance_admin'];
  const rows = await service.sql(`SELECT user_id FROM ${table} WHERE company_id = $1 AND ${flag}`, [
    company.id,
  ]);
  return rows.map(({ user_id: id }) => id);
};

const makePrimary = (scope: Scope, userId: string, actorId?: string): Promise<Answer> =>
  scope === 'unit'
    ? patch(scope, { isPrimaryApprover: true, financeRole: 'APPROVER' }, userId, actorId)
    : patch(scope, { isPrimaryFinanceAdmin: true }, userId, actorId);

describe.each<Scope>(['company', 'unit'])('the primary (%s)', (scope) => {
  it('the primary moves from one member to the other, which is recorded', async () => {
    await makePrimary(scope, actor.id);
    const moved = await makePrimary(scope, member.id);
    expect(moved.status).toBe(200);
    expect(await primaries(scope)).toEqual([member.id]);
    expect((await company.audit()).at(-1)).toMatchObject({
      actor_user_id: actor.id,
      subject_user_id: member.id,
      details: { isPrimary: true, previousPrimaryUserId: actor.id },
    });
  });

  it('the primary remains when it is set again, and no member is the primary once it is cleared', async () => {
    await makePrimary(scope, member.id);
    await makePrimary(scope, member.id);
    expect(await primaries(scope)).toEqual([member.id]);
    await patch(scope, scope === 'unit' ? { isPrimaryApprover: false } : { isPrimaryFinanceAdmin: false });
    expect(await primaries(scope)).toEqual([]);
  });

  it('the primary is another in each company and each unit', async () => {
    await makePrimary(scope, member.id);
    const other = new TestCompany(service);
    await other.join(actor.id, { unit: other.unit });
    const first = company;
    company = other;
    await makePrimary(scope, actor.id);
    expect(await primaries(scope)).toEqual([actor.id]);
    company = first;
    expect(await primaries(scope)).toEqual([member.id]);
  });

  it('there cannot be two primaries, even if another client writes to the database', async () => {
    await makePrimary(scope, member.id);
    const [table, change] =
      scope === 'unit'
        ? ['business_unit_memberships', "is_primary_approver = true, finance_role = 'APPROVER'"]
        : ['company_memberships', 'is_primary_finance_admin = true'];
    const second = service.sql(`UPDATE ${table} SET ${change} WHERE company_id = $1 AND user_id = $2`, [
      company.id,
      actor.id,
    ]);
    await expect(second).rejects.toThrow(/one_primary/);
  });

  it('there is exactly one primary at every moment of 20 concurrent moves by any callers', async () => {
    const people = [actor, member];
    while (people.length < 6) people.push(await company.member({ unit: company.unit }));
    await makePrimary(scope, actor.id);
    const seen = new Set<number>();
    const polling = new AbortController();
    const poller = (async () => {
      while (!polling.signal.aborted) seen.add((await primaries(scope)).length);
    })();
    const person = (n: number): string => people[n % people.length]?.id ?? '';
    const moves = Array.from({ length: 20 }, (_, n) => makePrimary(scope, person(n), person(n * 5 + 1)));
    const answers = await Promise.all(moves);
    polling.abort();
    await poller;
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([...seen]).toEqual([1]);
    const audited = (await company.audit()).filter(({ event }) => event === 'finance_changed');
    expect(audited).toHaveLength(21);
    // No move met a deadlock, which would have been retried in silence.
    expect(service.log()).not.toContain('runs again.');
  });

  it('moving the primary and ending their membership at once leave one primary or none, who is a member', async () => {
    for (let round = 0; round < 5; round++) {
      await makePrimary(scope, member.id);
      const answers = await Promise.all([
        makePrimary(scope, actor.id),
        company.machine('POST', '/memberships', { userId: member.id, isActive: false }),
        makePrimary(scope, member.id),
      ]);
      const [moved, ended, again] = answers.map(({ status }) => status);
      expect([moved, ended]).toEqual([200, 200]);
      expect([200, 404]).toContain(again);
      expect(await primaries(scope)).not.toContain(member.id);
      await company.upsert({ userId: member.id, isActive: true });
      const units = `/business-units/${company.unit}/memberships`;
      await company.machine('POST', units, { userId: member.id, isActive: true });
    }
    expect(service.log()).not.toContain('runs again.');
  });
});

describe('the routes for people', () => {
  it('the routes for people take the caller as the actor; the header has no effect', async () => {
    const admin = await company.member({ role: 'ADMIN' });
    for (const scope of SCOPES) {
      const path = `/internal/companies/${company.id}${pathOf(scope, member.id)}`;
      const answer = await service.api('PATCH', path, {
        token: admin.token,
        body: { approvalLimit: '3' },
        headers: { 'x-actor-user-id': actor.id },
      });
      expect(answer).toMatchObject({ status: 200, data: { approvalLimit: '3' } });
      const last = (await company.audit()).at(-1);
      expect(last).toMatchObject({ event: 'finance_changed', actor_user_id: admin.id });
      expect(last?.details).not.toHaveProperty('writtenBy');
    }
  });

  it('the routes for people let platform administrators in who are no members', async () => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const answer = await company.bearer(token, 'PATCH', pathOf('company', member.id), {
      isPrimaryFinanceAdmin: true,
    });
    expect(answer.data).toMatchObject({ isPrimaryFinanceAdmin: true });
  });

  it('the routes for people refuse bad input as the machine routes do', async () => {
    const { token } = await company.member({ role: 'TENANT_SUPERADMIN' });
    for (const scope of SCOPES) {
      const answer = await company.bearer(token, 'PATCH', pathOf(scope, member.id), { approvalLimit: 1 });
      expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });
});
