import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let testClient: InvitationClient;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
});
afterAll(() => service.stop());
beforeEach(async () => {
  testClient = await InvitationClient.open(service);
});

function expectLimited(answer: Answer | undefined, longest: number): void {
  expect(answer).toMatchObject({ status: 429, code: 'rate_limited' });
  const wait = Number(answer?.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(longest);
}

const many = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));
const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();

describe('sending an invitation anew', () => {
  it('an invitation can be sent anew three times an hour, also at the same time', async () => {
    const { id, email } = await testClient.invite();
    expect(statusesOf(await many(8, () => testClient.resend(id)))).toEqual([
      200, 200, 200, 429, 429, 429, 429, 429,
    ]);
    await service.mailTo(email, 4);
    const refused = await testClient.resend(id);
    expectLimited(refused, 3600);
    expect(service.mailsTo(email)).toHaveLength(4);
  });

  it('an invitation can be sent anew again when the first of the three is an hour ago', async () => {
    const { id } = await testClient.invite();
    await many(3, () => testClient.resend(id));
    await service.sql(`UPDATE invitations SET resent_at[1] = now() - interval '59 minutes' WHERE id = $1`, [
      id,
    ]);
    expectLimited(await testClient.resend(id), 60);
    await service.sql(`UPDATE invitations SET resent_at[1] = now() - interval '1 hour' WHERE id = $1`, [id]);
    expect((await testClient.resend(id)).status).toBe(200);
    expectLimited(await testClient.resend(id), 3600);
  });

  it('the limit of one invitation counts every sender: a colleague and an operator too', async () => {
    const { id } = await testClient.invite();
    const colleague = await testClient.member({ role: 'ADMIN' });
    const operator = new OperatorClient(service, {
      SMTP_URL: service.smtp?.url ?? '',
      MAIL_FROM: 'auth@example.com',
    });
    expect((await testClient.resend(id)).status).toBe(200);
    expect((await testClient.resend(id, testClient.as(colleague))).status).toBe(200);
    expect((await operator.run(['invitations', 'resend', id, '--yes'])).code).toBe(0);
    const refused = await operator.run(['invitations', 'resend', id, '--yes']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Too many');
    expectLimited(await testClient.resend(id), 3600);
  });

  it('the limit counts each invitation alone', async () => {
    const [first, second] = [await testClient.invite(), await testClient.invite()];
    await many(3, () => testClient.resend(first.id));
    expect((await testClient.resend(second.id)).status).toBe(200);
  });
});

describe('inviting', () => {
  /** Inserts that many invitations of the user, that many hours ago. */
  const inviteBefore = (userId: string, count: number, hours: number) =>
    service.sql(
      `INSERT INTO invitations (id, company_id, email, invited_by_user_id, expires_at, created_at)
       SELECT gen_random_uuid(), $1, 'before-' || gen_random_uuid() || '@example.com', $2,
         now() + interval '7 days', now() - make_interval(hours => $4)
       FROM generate_series(1, $3::int)`,
      [testClient.company, userId, count, hours],
    );

  it('a user can invite 100 times a day, also at the same time', async () => {
    await inviteBefore(testClient.admin.id, 97, 23);
    const answers = await many(6, () => testClient.create({ email: freshEmail() }));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 429, 429, 429]);
    expectLimited(await testClient.create({ email: freshEmail() }), 3600);
    const colleague = await testClient.member({ role: 'ADMIN' });
    expect((await testClient.create({ email: freshEmail() }, testClient.as(colleague))).status).toBe(201);
  });

  it('a user can invite again a day later', async () => {
    await inviteBefore(testClient.admin.id, 120, 24);
    expect((await testClient.create({ email: freshEmail() })).status).toBe(201);
  });

  it('the limit of invitations counts the cancelled too, in every company', async () => {
    const other = await InvitationClient.open(service);
    const staff = await other.member({ role: 'ADMIN', companyId: testClient.company });
    await other.member({ role: 'ADMIN' });
    await inviteBefore(staff.id, 99, 1);
    const { id } = await testClient.invite({}, testClient.as(staff));
    await testClient.cancel(id, testClient.as(staff));
    expectLimited(await testClient.create({ email: freshEmail() }, testClient.as(staff)), 86_400);
  });
});
