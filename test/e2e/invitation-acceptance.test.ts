import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const BAD_INPUT = { status: 400, code: 'validation_error' };
const FORBIDDEN = { status: 403, code: 'forbidden' };
const NOT_FOUND = { status: 404, code: 'not_found' };
const CONFLICT = { status: 409, code: 'conflict' };

let service: TestService;
let testClient: InvitationClient;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
  testClient = await InvitationClient.open(service);
});
afterAll(() => service.stop());

describe('looking at an invitation', () => {
  it('looking at an invitation shows what it offers and changes nothing, however often', async () => {
    const { email, token } = await testClient.invite({ role: 'ACCOUNTANT' });
    const answers: Answer[] = [];
    for (let count = 0; count < 10; count++) answers.push(await testClient.preview(token));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.data).toEqual({
        email,
        companyId: testClient.company,
        role: 'ACCOUNTANT',
        inviterName: 'Ada Lovelace',
        expiresAt: expect.any(String) as string,
        userExists: false,
      });
    }
    expect((await testClient.accept({ token, password: PASSWORD })).status).toBe(200);
  });

  it('looking at an invitation shows that the user has an account', async () => {
    const guest = await signedInUser(service);
    const { token } = await testClient.invite({ email: guest.email });
    expect((await testClient.preview(token)).data).toMatchObject({ userExists: true });
  });

  it('an invitation names the company as the inviter has written it', async () => {
    const { email, token } = await testClient.invite({
      metadata: { companyName: 'Söhne & Co. A/S', note: 'x' },
    });
    const { data } = await testClient.preview(token);
    expect(data).toMatchObject({ companyId: testClient.company, companyName: 'Söhne & Co. A/S' });
    expect(data).not.toHaveProperty('metadata');
    const { subject, text } = await service.mailTo(email);
    expect(subject).toBe('You are invited to join Söhne & Co. A/S on Latchkey');
    expect(text).not.toContain(testClient.company);
  });

  it.each([
    ['a link', 'Acme evil.example/login'],
    ['an address', 'Acme https://evil.example'],
    ['markup', '<b>Acme</b>'],
    ['a line of its own', 'Acme\nBcc: all@example.com'],
    ['text that runs backwards', 'Acme \u202egro.live'],
    ['too long a name', 'A'.repeat(81)],
    ['nothing', ''],
    ['no text', { name: 'Acme' }],
  ])('an invitation does not take %s for the name of a company', async (_what, companyName) => {
    const { id, email, token } = await testClient.invite({ metadata: { companyName } });
    expect((await testClient.preview(token)).data).not.toHaveProperty('companyName');
    const { subject } = await service.mailTo(email);
    expect(subject).toBe(`You are invited to join the company ${testClient.company} on Latchkey`);
    expect((await testClient.get(id)).data).toMatchObject({ metadata: { companyName } });
  });

  it('an invitation names the inviter, with role and day of expiry, in page and mail', async () => {
    const { email, token } = await testClient.invite({ role: 'ACCOUNT_MANAGER' });
    const { data } = await testClient.preview(token);
    expect(data).toMatchObject({ inviterName: 'Ada Lovelace' });
    const text = (await service.mailTo(email)).text.replaceAll('\n', ' ');
    expect(text).toContain('Ada Lovelace invited you to join the company');
    expect(text).toContain('with the role Account manager.');
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    expect(text).toContain(`on ${day.format(new Date(String(data.expiresAt)))} at`);
  });

  it('an invitation does not name an inviter whose name could pass for something else', async () => {
    const admin = await testClient.member(
      { role: 'ADMIN' },
      { fullName: 'Ann, log in at https://evil.example' },
    );
    const { email, token } = await testClient.invite(
      { metadata: { companyName: 'Acme' } },
      testClient.as(admin),
    );
    expect((await testClient.preview(token)).data).toMatchObject({ inviterName: null });
    const { text } = await service.mailTo(email);
    expect(text.replaceAll('\n', ' ')).toContain('An administrator of Acme invited you to join Acme');
    expect(text).not.toContain('evil');
  });

  it('an invitation names the company in the mail that is sent anew, too', async () => {
    const { id, email } = await testClient.invite({ metadata: { companyName: 'Acme' } });
    await testClient.resend(id);
    expect((await service.mailTo(email, 2)).subject).toBe('You are invited to join Acme on Latchkey');
  });

  it('looking at an invitation shows why it cannot be accepted any more', async () => {
    const [accepted, cancelled, expired] = [
      await testClient.invite(),
      await testClient.invite(),
      await testClient.invite(),
    ];
    await testClient.accept({ token: accepted.token, password: PASSWORD });
    await testClient.cancel(cancelled.id);
    await testClient.expire(expired.id);
    for (const [{ token }, why] of [
      [accepted, 'accepted'],
      [cancelled, 'cancelled'],
      [expired, 'expired'],
    ] as const) {
      for (const answer of [
        await testClient.preview(token),
        await testClient.accept({ token, password: PASSWORD }),
      ]) {
        expect(answer).toMatchObject(CONFLICT);
        expect(answer.message).toContain(why);
      }
    }
  });

  it('looking at an invitation needs a token that was sent', async () => {
    for (const token of [`lki_${'A'.repeat(43)}`, 'x', 'ä']) {
      expect(await testClient.preview(token)).toMatchObject(NOT_FOUND);
      expect(await testClient.accept({ token, password: PASSWORD })).toMatchObject(NOT_FOUND);
    }
    expect(await service.api('GET', '/auth/invitations/preview')).toMatchObject(BAD_INPUT);
    expect(await service.api('GET', '/auth/invitations/preview?token=a&token=b')).toMatchObject(BAD_INPUT);
    for (const body of [{}, { token: 7 }, { token: '' }])
      expect(await testClient.accept(body)).toMatchObject(BAD_INPUT);
  });
});

describe('a new user who accepts', () => {
  it('a new user who accepts is approved, active, a member with the grants, and signed in', async () => {
    const { id, email, token } = await testClient.invite({
      role: 'ACCOUNTANT',
      moduleGrants: ['events', 'billing'],
      permissionGrants: ['bill.read'],
      delegation: { canBuyAddons: true },
    });
    const answer = await testClient.accept({ token, password: PASSWORD, fullName: ' Grace Hopper ' });
    expect(answer.status, answer.text).toBe(200);
    const { invitation, ...tokens } = answer.data;
    expect(Object.keys(tokens).sort()).toEqual(['accessToken', 'expiresIn', 'refreshToken', 'tokenType']);
    const [user] = await testClient.usersWith(email);
    expect(user).toMatchObject({
      full_name: 'Grace Hopper',
      approval_status: 'APPROVED',
      is_active: true,
      global_role: 'NONE',
    });
    expect(invitation).toMatchObject({ id, status: 'ACCEPTED', acceptedByUserId: user?.id });
    expect(await testClient.membershipsOf(email)).toEqual([
      { role: 'ACCOUNTANT', is_active: true, modules: ['billing', 'events'], permissions: ['bill.read'] },
    ]);
    const me = await service.api('GET', '/auth/me', { token: tokens.accessToken });
    expect(me.data).toMatchObject({ email, name: 'Grace Hopper', roles: ['ACCOUNTANT'] });
    expect((await service.signIn({ email, password: PASSWORD })).accessToken).toBeTypeOf('string');
  });

  it('a new user who accepts needs a password that keeps the policy; until then the invitation stays open', async () => {
    const { email, token } = await testClient.invite();
    for (const body of [{}, { password: '7 chars' }, { password: 7 }, { password: '' }, { fullName: '' }]) {
      expect(await testClient.accept({ token, ...body })).toMatchObject(BAD_INPUT);
    }
    expect(await testClient.statesOf(email)).toEqual(['PENDING']);
    expect(await testClient.usersWith(email)).toEqual([]);
    expect((await testClient.accept({ token, password: PASSWORD })).status).toBe(200);
  });

  it('a new user is made once by twenty simultaneous acceptances', async () => {
    const { email, token } = await testClient.invite();
    const calls = Array.from({ length: 20 }, (_, index) =>
      testClient.accept({ token, password: `password ${index}` }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, ...Array<number>(19).fill(409)]);
    expect(await testClient.usersWith(email)).toHaveLength(1);
    expect(await testClient.membershipsOf(email)).toHaveLength(1);
    expect(await testClient.statesOf(email)).toEqual(['ACCEPTED']);
  });
});

describe('an existing user who accepts', () => {
  it('an existing user joins as they are: no tokens, the password untouched', async () => {
    const guest = await service.createUser();
    const before = await testClient.usersWith(guest.email);
    const { id, token } = await testClient.invite({ email: guest.email, moduleGrants: ['billing'] });
    const answer = await testClient.accept({ token, password: 'another password', fullName: 'Another Name' });
    expect(answer).toMatchObject({
      status: 200,
      data: { id, status: 'ACCEPTED', acceptedByUserId: guest.id },
    });
    expect(answer.data).not.toHaveProperty('accessToken');
    expect(await testClient.usersWith(guest.email)).toEqual(before);
    expect(await testClient.membershipsOf(guest.email)).toEqual([
      { role: 'MEMBER', is_active: true, modules: ['billing'], permissions: [] },
    ]);
  });

  it('an existing user may be signed in, under whatever spelling of the email was invited', async () => {
    const guest = await signedInUser(service);
    const answer = await testClient.create({ email: guest.email.toUpperCase() });
    expect(answer.status).toBe(201);
    const { token } = await service.mailTo(guest.email);
    expect((await testClient.accept({ token }, guest.token)).status).toBe(200);
    expect(await testClient.usersWith(guest.email)).toHaveLength(1);
    expect(await testClient.membershipsOf(guest.email)).toHaveLength(1);
  });

  it('the user who accepts must be the signed-in user, if there is one', async () => {
    const [guest, other] = [await signedInUser(service), await signedInUser(service)];
    const [forUser, forNewUser] = [
      await testClient.invite({ email: guest.email }),
      await testClient.invite(),
    ];
    for (const { token, email } of [forUser, forNewUser]) {
      expect(await testClient.accept({ token, password: PASSWORD }, other.token)).toMatchObject(FORBIDDEN);
      expect(await testClient.accept({ token, password: PASSWORD }, 'no-token')).toMatchObject({
        status: 401,
      });
      expect(await testClient.statesOf(email)).toEqual(['PENDING']);
    }
    expect(await testClient.membershipsOf(guest.email)).toEqual([]);
    expect(await testClient.membershipsOf(other.email)).toEqual([]);
    expect(await testClient.usersWith(forNewUser.email)).toEqual([]);
  });

  it.each([
    ['PENDING', 'pending_approval', { approval: 'PENDING' }],
    ['REJECTED', 'registration_rejected', { approval: 'REJECTED' }],
    ['inactive', 'account_inactive', { active: false }],
  ] as const)('an existing user who is %s gets %s, and nothing is written', async (_state, code, wanted) => {
    const guest = await service.createUser(wanted);
    const { token } = await testClient.invite({ email: guest.email });
    expect(await testClient.accept({ token, password: PASSWORD })).toMatchObject({ status: 403, code });
    expect(await testClient.membershipsOf(guest.email)).toEqual([]);
    expect(await testClient.statesOf(guest.email)).toEqual(['PENDING']);
  });

  it('a former member is a member again', async () => {
    const former = await testClient.member({ active: false, role: 'ADMIN', moduleGrants: ['reports'] });
    const { token } = await testClient.invite({ email: former.email, moduleGrants: ['billing'] });
    expect((await testClient.accept({ token })).status).toBe(200);
    expect(await testClient.membershipsOf(former.email)).toEqual([
      { role: 'MEMBER', is_active: true, modules: ['billing'], permissions: [] },
    ]);
  });

  it('an existing user keeps the membership they got otherwise since they were invited', async () => {
    const guest = await service.createUser();
    const { token } = await testClient.invite({ email: guest.email });
    await insertMembership(service.sql, { userId: guest.id, companyId: testClient.company, role: 'ADMIN' });
    expect(await testClient.accept({ token })).toMatchObject(CONFLICT);
    expect(await testClient.membershipsOf(guest.email)).toMatchObject([{ role: 'ADMIN' }]);
  });

  it('an existing user joins once by ten simultaneous acceptances', async () => {
    const guest = await service.createUser();
    const { token } = await testClient.invite({ email: guest.email });
    const answers = await Promise.all(Array.from({ length: 10 }, () => testClient.accept({ token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await testClient.membershipsOf(guest.email)).toHaveLength(1);
  });
});

describe('acceptance beside a simultaneous change', () => {
  it('sending anew and accepting with the old token come to one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      const guest = await service.createUser();
      const { id, token } = await testClient.invite({ email: guest.email });
      const [sent, accepted] = await Promise.all([testClient.resend(id), testClient.accept({ token })]);
      const outcome = [sent.status, accepted.status, (await testClient.get(id)).data.status];
      expect([
        [409, 200, 'ACCEPTED'],
        [200, 404, 'PENDING'],
      ]).toContainEqual(outcome);
      expect(await testClient.membershipsOf(guest.email)).toHaveLength(accepted.status === 200 ? 1 : 0);
    }
  });

  it('cancelling and accepting come to one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      const guest = await service.createUser();
      const { id, token } = await testClient.invite({ email: guest.email });
      const [cancelled, accepted] = await Promise.all([testClient.cancel(id), testClient.accept({ token })]);
      expect([cancelled.status, accepted.status].sort()).toEqual([200, 409]);
      expect(await testClient.membershipsOf(guest.email)).toHaveLength(accepted.status === 200 ? 1 : 0);
    }
  });
});

it('the token is in the mail and nowhere in the database', async () => {
  const { id, token } = await testClient.invite();
  const columns = await service.sql(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  for (const { table_name: table, column_name: column } of columns) {
    const found = await service.sql(
      `SELECT 1 FROM "${String(table)}" WHERE position($1 IN "${String(column)}"::text) > 0 LIMIT 1`,
      [token.slice(4)],
    );
    expect(found, `${String(table)}.${String(column)}`).toEqual([]);
  }
  const stored = await service.sql('SELECT id FROM invitations WHERE token_digest = sha256($1)', [
    Buffer.from(token),
  ]);
  expect(stored).toEqual([{ id }]);
});

it('every change is audited with its actor', async () => {
  const { id, email, token } = await testClient.invite();
  await testClient.resend(id);
  const { token: newToken } = await service.mailTo(email, 2);
  await testClient.accept({ token: newToken, password: PASSWORD });
  const other = await testClient.invite();
  await testClient.cancel(other.id);
  const rows = await service.sql(
    `SELECT event, actor_user_id, company_id FROM auth_audit_logs
     WHERE details->>'invitationId' = ANY($1) ORDER BY occurred_at, id`,
    [[id, other.id]],
  );
  const [user] = await testClient.usersWith(email);
  const row = (event: string, actor: unknown = testClient.admin.id) => ({
    event,
    actor_user_id: actor,
    company_id: testClient.company,
  });
  expect(rows).toEqual([
    row('invitation_created'),
    row('invitation_resent'),
    row('invitation_accepted', user?.id),
    row('invitation_created'),
    row('invitation_cancelled'),
  ]);
  expect(token).not.toBe(newToken);
});

it('a mail that could not be sent for a while arrives with a link that works', async () => {
  const email = freshEmail();
  if (service.smtp) service.smtp.refuseWith = 450;
  expect((await testClient.create({ email })).status).toBe(201);
  const failed = 'SELECT 1 FROM mail_outbox WHERE recipient = $1 AND last_error IS NOT NULL';
  await waitUntil(async () => (await service.sql(failed, [email])).length > 0, { what: 'a failed attempt' });
  if (service.smtp) service.smtp.refuseWith = undefined;
  await service.sql('UPDATE mail_outbox SET next_attempt_at = now() WHERE recipient = $1', [email]);
  const { token } = await service.mailTo(email);
  expect((await testClient.accept({ token, password: PASSWORD })).status).toBe(200);
});
