import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { freshEmail, InvitationDesk } from '../support/invitation-desk.js';
import { OperatorDesk } from '../support/operator-desk.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let desk: InvitationDesk;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
});
afterAll(() => service.stop());
beforeEach(async () => {
  desk = await InvitationDesk.open(service);
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
  it('is done three times an hour, also at the same time', async () => {
    const { id, email } = await desk.invite();
    expect(statusesOf(await many(8, () => desk.resend(id)))).toEqual([
      200, 200, 200, 429, 429, 429, 429, 429,
    ]);
    await service.mailTo(email, 4);
    const refused = await desk.resend(id);
    expectLimited(refused, 3600);
    expect(service.mailsTo(email)).toHaveLength(4);
  });

  it('is possible again when the first of the three is an hour ago', async () => {
    const { id } = await desk.invite();
    await many(3, () => desk.resend(id));
    await service.sql(`UPDATE invitations SET resent_at[1] = now() - interval '59 minutes' WHERE id = $1`, [
      id,
    ]);
    expectLimited(await desk.resend(id), 60);
    await service.sql(`UPDATE invitations SET resent_at[1] = now() - interval '1 hour' WHERE id = $1`, [id]);
    expect((await desk.resend(id)).status).toBe(200);
    expectLimited(await desk.resend(id), 3600);
  });

  it('counts whoever asks: a colleague and an operator too', async () => {
    const { id } = await desk.invite();
    const colleague = await desk.member({ role: 'ADMIN' });
    const operator = new OperatorDesk(service, {
      SMTP_URL: service.smtp?.url ?? '',
      MAIL_FROM: 'auth@example.com',
    });
    expect((await desk.resend(id)).status).toBe(200);
    expect((await desk.resend(id, desk.as(colleague))).status).toBe(200);
    expect((await operator.run(['invitations', 'resend', id, '--yes'])).code).toBe(0);
    const refused = await operator.run(['invitations', 'resend', id, '--yes']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Too many');
    expectLimited(await desk.resend(id), 3600);
  });

  it('is counted for each invitation alone', async () => {
    const [first, second] = [await desk.invite(), await desk.invite()];
    await many(3, () => desk.resend(first.id));
    expect((await desk.resend(second.id)).status).toBe(200);
  });
});

describe('inviting', () => {
  /** As if the user had invited so many, so many hours ago. */
  const inviteBefore = (userId: string, count: number, hours: number) =>
    service.sql(
      `INSERT INTO invitations (id, company_id, email, invited_by_user_id, expires_at, created_at)
       SELECT gen_random_uuid(), $1, 'before-' || gen_random_uuid() || '@example.com', $2,
         now() + interval '7 days', now() - make_interval(hours => $4)
       FROM generate_series(1, $3::int)`,
      [desk.company, userId, count, hours],
    );

  it('is done 100 times a day by each user, also at the same time', async () => {
    await inviteBefore(desk.admin.id, 97, 23);
    const answers = await many(6, () => desk.create({ email: freshEmail() }));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 429, 429, 429]);
    expectLimited(await desk.create({ email: freshEmail() }), 3600);
    const colleague = await desk.member({ role: 'ADMIN' });
    expect((await desk.create({ email: freshEmail() }, desk.as(colleague))).status).toBe(201);
  });

  it('is possible again a day later', async () => {
    await inviteBefore(desk.admin.id, 120, 24);
    expect((await desk.create({ email: freshEmail() })).status).toBe(201);
  });

  it('counts the cancelled too, in every company', async () => {
    const other = await InvitationDesk.open(service);
    const staff = await other.member({ role: 'ADMIN', companyId: desk.company });
    await other.member({ role: 'ADMIN' });
    await inviteBefore(staff.id, 99, 1);
    const { id } = await desk.invite({}, desk.as(staff));
    await desk.cancel(id, desk.as(staff));
    expectLimited(await desk.create({ email: freshEmail() }, desk.as(staff)), 86_400);
  });
});
