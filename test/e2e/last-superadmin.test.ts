import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

const REPETITIONS = 30;
const TAKE_AWAY = [
  { isActive: false },
  { globalRole: 'PLATFORM_ADMIN' },
  { approvalStatus: 'REJECTED' },
] as const;

let service: TestService;
/** A second process on the same database: its requests share only the rows with those of the first. */
let replica: TestService;

beforeAll(async () => {
  service = await startTestService();
  replica = await startTestService({ databaseUrl: service.databaseUrl });
});

afterAll(async () => {
  await replica.stop();
  await service.stop();
});

beforeEach(retireEverybody);

async function retireEverybody(): Promise<void> {
  await service.sql(`UPDATE users SET global_role = 'NONE'`);
}

const superadmin = (): Promise<SignedInTestUser> => signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });

async function countSuperadmins(): Promise<unknown> {
  const [row] = await service.sql(
    `SELECT count(*)::int AS count FROM users
     WHERE global_role = 'PLATFORM_SUPERADMIN' AND is_active AND approval_status = 'APPROVED'`,
  );
  return row?.count;
}

/** Runs both at the same time, repeatedly; exactly one may succeed, and one superadmin is left each time. */
async function race(
  attempt: (
    one: SignedInTestUser,
    other: SignedInTestUser,
    index: number,
  ) => [Promise<Answer>, Promise<Answer>],
  allowedRefusals: string[],
): Promise<void> {
  for (let index = 0; index < REPETITIONS; index++) {
    await retireEverybody();
    const answers = await Promise.all(attempt(await superadmin(), await superadmin(), index));
    expect(await countSuperadmins()).toBe(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(allowedRefusals).toContain(answers.find((answer) => answer.status !== 200)?.code);
  }
}

describe('the last active superadmin', () => {
  it.each(TAKE_AWAY)('the last superadmin is not removed by a machine with %j', async (body) => {
    const last = await superadmin();
    const answer = await service.machine('PATCH', `/internal/admin/users/${last.id}`, { body });
    expect(answer).toMatchObject({ status: 409, code: 'conflict' });
    expect(await countSuperadmins()).toBe(1);
    expect((await service.api('GET', '/auth/me', { token: last.token })).status).toBe(200);
  });

  it('the last superadmin is not deleted by a machine', async () => {
    const last = await superadmin();
    expect(await service.machine('DELETE', `/internal/admin/users/${last.id}`)).toMatchObject({
      status: 409,
      code: 'conflict',
    });
  });

  it.each(TAKE_AWAY)('the last superadmin cannot remove themselves with %j', async (body) => {
    const last = await superadmin();
    const answer = await service.api('PATCH', `/internal/users/${last.id}`, { token: last.token, body });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('the last superadmin is not replaced by superadmins who are inactive or not approved', async () => {
    const last = await superadmin();
    await service.createUser({ role: 'PLATFORM_SUPERADMIN', active: false });
    await service.createUser({ role: 'PLATFORM_SUPERADMIN', approval: 'PENDING', active: true });
    const answer = await service.machine('DELETE', `/internal/admin/users/${last.id}`);
    expect(answer.code).toBe('conflict');
  });

  it('a refused patch of the last superadmin changes nothing else either', async () => {
    const last = await superadmin();
    const body = { fullName: 'Another Name', globalRole: 'NONE' };
    await service.machine('PATCH', `/internal/admin/users/${last.id}`, { body });
    const { data } = await service.machine('GET', `/internal/admin/users/${last.id}`);
    expect(data).toMatchObject({
      fullName: last.fullName,
      globalRole: 'PLATFORM_SUPERADMIN',
      tokenVersion: 1,
    });
  });

  it('a superadmin can be removed once there is another one', async () => {
    const first = await superadmin();
    await superadmin();
    expect((await service.machine('DELETE', `/internal/admin/users/${first.id}`)).status).toBe(200);
    expect(await countSuperadmins()).toBe(1);
  });
});

describe('two superadmins', () => {
  const takeAway = (at: TestService, actor: SignedInTestUser, target: SignedInTestUser, index: number) =>
    at.api('PATCH', `/internal/users/${target.id}`, {
      token: actor.token,
      body: TAKE_AWAY[index % TAKE_AWAY.length],
    });

  it('of two superadmins who remove each other at once, one remains', async () => {
    await race(
      (one, other, index) => [takeAway(service, one, other, index), takeAway(service, other, one, index)],
      [
        'forbidden',
        'unauthorized',
        'session_revoked',
        'conflict',
        'account_inactive',
        'registration_rejected',
      ],
    );
  });

  it('of two superadmins who remove each other at once on two replicas, one remains', async () => {
    await race(
      (one, other, index) => [takeAway(service, one, other, index), takeAway(replica, other, one, index + 1)],
      [
        'forbidden',
        'unauthorized',
        'session_revoked',
        'conflict',
        'account_inactive',
        'registration_rejected',
      ],
    );
  });

  it('of two superadmins that two machines remove at once, one remains', async () => {
    const remove = (at: TestService, { id }: SignedInTestUser) =>
      at.machine('DELETE', `/internal/admin/users/${id}`);
    await race((one, other) => [remove(service, one), remove(replica, other)], ['conflict']);
  });
});
