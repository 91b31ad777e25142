import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { RedisSnapshot } from '../support/redis-snapshot.js';
import { describeWithRedis } from '../support/redis.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

type SignedInUser = TestUser & { accessToken: string; refreshToken: string };

const create = (service: TestService, token: string | undefined, org?: string | string[]): Promise<Answer> =>
  service.api('POST', '/auth/handoff/create', { token, headers: org === undefined ? {} : { 'x-org': org } });

const exchange = (service: TestService, code: unknown): Promise<Answer> =>
  service.api('POST', '/auth/handoff/exchange', { body: { code } });

async function join(service: TestService, userId: string, companyId: string): Promise<void> {
  await service.sql(
    'INSERT INTO company_memberships (id, user_id, company_id) VALUES (gen_random_uuid(), $1, $2)',
    [userId, companyId],
  );
}

async function memberOf(service: TestService, company: string): Promise<SignedInUser> {
  const user = await service.signedIn();
  await join(service, user.id, company);
  return user;
}

async function codeFor(service: TestService, user: SignedInUser, company: string): Promise<string> {
  const answer = await create(service, user.accessToken, company);
  expect(answer.status, answer.text).toBe(200);
  return String(answer.data.code);
}

describe('hand-off', () => {
  const company = randomUUID();
  let service: TestService;
  let user: SignedInUser;

  beforeAll(async () => {
    service = await startTestService();
    user = await memberOf(service, company);
  });
  afterAll(() => service.stop());

  it('a code becomes a session of its own for the same user', async () => {
    const code = await codeFor(service, user, company);
    const answer = await exchange(service, code);
    const me = await service.api('GET', '/auth/me', { token: answer.data.accessToken });
    const before = await service.api('GET', '/auth/me', { token: user.accessToken });

    expect(code).toMatch(/^lkh_[A-Za-z0-9_-]{43}$/);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ tokenType: 'Bearer', organizationId: company });
    expect(me.data.id).toBe(user.id);
    expect(me.data.sessionId).not.toBe(before.data.sessionId);
  });

  it('a code says how long it lives', async () => {
    const answer = await create(service, user.accessToken, company);
    expect(answer.data.expiresIn).toBe(60);
  });

  it('a used code is refused', async () => {
    const code = await codeFor(service, user, company);
    expect((await exchange(service, code)).status).toBe(200);
    expect(await exchange(service, code)).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('of twenty simultaneous exchanges exactly one gets a session', async () => {
    const code = await codeFor(service, user, company);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(service, code)));

    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(19);
  });

  it('a hand-off needs a token, a company and access to that company', async () => {
    expect(await create(service, undefined, company)).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await create(service, user.accessToken)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await create(service, user.accessToken, 'x')).toMatchObject({ status: 400 });
    expect(await create(service, user.accessToken, [company, company])).toMatchObject({ status: 400 });
    expect(await create(service, user.accessToken, randomUUID())).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });

  it('a hand-off takes the company in any case', async () => {
    const answer = await create(service, user.accessToken, company.toUpperCase());
    expect((await exchange(service, answer.data.code)).data.organizationId).toBe(company);
  });

  it.each([[''], [1], [[]], [null], ['x'.repeat(10_000)], [undefined]])(
    'a malformed code %j is a bad request',
    async (code) => {
      expect(await exchange(service, code)).toMatchObject({ status: 400, code: 'validation_error' });
    },
  );

  it('a code in the query has no effect', async () => {
    const code = await codeFor(service, user, company);
    const answer = await service.api('GET', `/auth/handoff/exchange?code=${code}`);
    expect(answer.status).toBe(404);
    expect((await exchange(service, code)).status).toBe(200);
  });

  it('a code ends with the session that made it', async () => {
    const other = await memberOf(service, company);
    const code = await codeFor(service, other, company);
    await service.api('POST', '/auth/logout', { body: { refreshToken: other.refreshToken } });

    expect(await exchange(service, code)).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a code ends with the membership it was made for', async () => {
    const other = await memberOf(service, company);
    const code = await codeFor(service, other, company);
    await service.sql('UPDATE company_memberships SET is_active = false WHERE user_id = $1', [other.id]);

    expect(await exchange(service, code)).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a user who was deactivated meanwhile gets no session', async () => {
    const other = await memberOf(service, company);
    const code = await codeFor(service, other, company);
    await service.machine('DELETE', `/internal/admin/users/${other.id}`);
    const answer = await exchange(service, code);
    const live = await service.sql('SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked', [
      other.id,
    ]);

    expect(answer).toMatchObject({ status: 403, code: 'account_inactive' });
    expect(live).toEqual([]);
  });

  it('platform administrators can hand over into any company', async () => {
    const admin = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const code = await codeFor(service, admin, randomUUID());
    expect((await exchange(service, code)).status).toBe(200);
  });

  it('a hand-off is written to the audit log', async () => {
    const other = await memberOf(service, company);
    await exchange(service, await codeFor(service, other, company));
    const rows = await service.sql(
      'SELECT event, outcome, company_id FROM auth_audit_logs WHERE subject_user_id = $1 AND company_id = $2',
      [other.id, company],
    );

    expect(rows.map((row) => row.event).sort()).toEqual(['handoff_created', 'handoff_exchanged']);
  });
});

describe('a short-lived hand-off code', () => {
  it('a short-lived hand-off code expires', async () => {
    const service = await serviceForThisTest({ env: { HANDOFF_TTL: '1' } });
    const company = randomUUID();
    const user = await memberOf(service, company);
    const code = await codeFor(service, user, company);
    await new Promise((resolve) => setTimeout(resolve, 1_100));

    expect(await exchange(service, code)).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describeWithRedis('hand-off over Redis', () => {
  const company = randomUUID();

  it('a store restored from before the exchange cannot spend the code again', async () => {
    const service = await serviceForThisTest({ redis: true });
    const user = await memberOf(service, company);
    const code = await codeFor(service, user, company);
    const store = await RedisSnapshot.take(service, '*handoff:*');
    expect((await exchange(service, code)).status).toBe(200);
    await store.restore();

    expect(await exchange(service, code)).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a grant written into the store by an attacker opens no session', async () => {
    const service = await serviceForThisTest({ redis: true });
    const user = await memberOf(service, company);
    const victim = await memberOf(service, company);
    const code = await codeFor(service, user, company);
    const store = await RedisSnapshot.take(service, '*handoff:*');
    await store.restore((value) => value.replaceAll(user.id, victim.id));

    expect(await exchange(service, code)).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a hand-off fails with an error without Redis', async () => {
    const service = await serviceForThisTest({ redis: true });
    const user = await memberOf(service, company);
    const code = await codeFor(service, user, company);
    service.redis?.kill();

    expect(await create(service, user.accessToken, company)).toMatchObject({
      status: 503,
      code: 'service_unavailable',
    });
    expect(await exchange(service, code)).toMatchObject({ status: 503, code: 'service_unavailable' });
  });
});
