import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InvitationView } from '@latchkey/core';
import { describeOnTerminal, runCliHere, runCliOnTerminal } from '../support/cli-process.js';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { OperatorClient } from '../support/operator-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';

const UNKNOWN_ID = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';

let service: TestService;
let operators: OperatorClient;
let testClient: InvitationClient;

beforeAll(async () => {
  service = await startTestService();
  operators = new OperatorClient(service);
  testClient = await InvitationClient.open(service);
});

afterAll(() => service.stop());

/** The rows about an invitation, as event and actor, oldest first. */
const auditOf = async (id: string): Promise<string[]> => {
  const rows = await service.sql(
    `SELECT event || ' ' || actor AS row FROM auth_audit_logs WHERE details->>'invitationId' = $1 ORDER BY id`,
    [id],
  );
  return rows.map(({ row }) => String(row));
};

describe('latchkey invitations list and show', () => {
  it('list and show equal the replies of the routes for people', async () => {
    const place = await InvitationClient.open(service);
    const first = await place.invite({ moduleGrants: ['a'], metadata: { companyName: 'Acme' } });
    const second = await place.invite({ role: 'CLERK' });
    const listed = await service.api('GET', '/auth/invitations', place.as());
    const list = ['invitations', 'list', '--company', place.company];
    expect(await operators.json(list)).toEqual(listed.items);
    expect((await operators.run([...list, '--quiet'])).stdout).toBe(`${second.id}\n${first.id}\n`);
    expect((await operators.run([...list, '--limit', '1'])).stderr).toContain('1 of 2 invitations;');

    const { data } = await place.get(first.id);
    expect(await operators.json(['invitations', 'show', first.id.toUpperCase()])).toEqual(data);
    expect(await operators.details(['invitations', 'show', '--email', second.email])).toMatchObject({
      id: second.id,
      role: 'CLERK',
      status: 'PENDING',
      'invited by': place.admin.id,
    });
  });

  it('list filters by status, and an expired invitation is not pending', async () => {
    const place = await InvitationClient.open(service);
    const [pending, expired, cancelled] = [await place.invite(), await place.invite(), await place.invite()];
    await place.expire(expired.id);
    await place.cancel(cancelled.id);
    const idsOf = async (status: string) =>
      (
        await operators.json<InvitationView[]>([
          'invitations',
          'list',
          '--company',
          place.company,
          '--status',
          status,
        ])
      ).map(({ id }) => id);
    expect(await idsOf('PENDING')).toEqual([pending.id]);
    expect(await idsOf('EXPIRED')).toEqual([expired.id]);
    expect(await idsOf('CANCELLED')).toEqual([cancelled.id]);
    expect(await idsOf('ACCEPTED')).toEqual([]);
    const table = await runCliHere(['invitations', 'list', '--company', place.company], {
      env: operators.env,
      columns: 80,
    });
    expect(table.stdout).toMatch(/^EMAIL +STATUS .* ID\n/);
    for (const line of table.stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('show accepts an unambiguous prefix of an id', async () => {
    const { id } = await testClient.invite();
    await service.sql('UPDATE invitations SET id = $2 WHERE id = $1', [id, `abcd1111${id.slice(8)}`]);
    const other = await testClient.invite();
    await service.sql('UPDATE invitations SET id = $2 WHERE id = $1', [
      other.id,
      `abcd2222${other.id.slice(8)}`,
    ]);
    expect(await operators.json(['invitations', 'show', 'ABCD1'])).toMatchObject({
      id: `abcd1111${id.slice(8)}`,
    });
    const unclear = await operators.run(['invitations', 'show', 'abcd']);
    expect(unclear).toMatchObject({ code: 2, stdout: '' });
    expect(unclear.stderr).toContain('2 invitations begin with "abcd":');
    expect(unclear.stderr).toContain(other.email);
  });

  it('show finds the open invitation by email and company', async () => {
    const [here, there] = [await InvitationClient.open(service), await InvitationClient.open(service)];
    const { id: old, email } = await here.invite();
    await here.cancel(old);
    const show = ['invitations', 'show', '--email', email.toUpperCase()];
    expect(await operators.json(show)).toMatchObject({ id: old, status: 'CANCELLED' });
    const open = await here.invite({ email });
    expect(await operators.json(show)).toMatchObject({ id: open.id, status: 'PENDING' });
    const elsewhere = await there.invite({ email });
    const unclear = await operators.run(show);
    expect(unclear).toMatchObject({ code: 2, stdout: '' });
    expect(unclear.stderr).toContain(`2 invitations went to "${email.toUpperCase()}":`);
    expect(unclear.stderr).toContain('Give the id.');
    const byCompany = [...show, '--company', there.company];
    expect(await operators.json(byCompany)).toMatchObject({ id: elsewhere.id });
  });
});

describe('latchkey invitations resend', () => {
  it('resend sends a new link, and the previous one stops working', async () => {
    const { id, email, token } = await testClient.invite();
    const refused = await operators.run(['invitations', 'resend', id]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--yes');
    expect((await testClient.preview(token)).status).toBe(200);

    const view = await operators.json<InvitationView>(['invitations', 'resend', id, '--yes']);
    // The mail may have been sent meanwhile, which sets the time again.
    const { data: stored } = await testClient.get(id);
    expect({ ...view, lastSentAt: stored.lastSentAt }).toEqual(stored);
    const mail = await service.mailTo(email, 2);
    expect((await testClient.preview(token)).status).toBe(404);
    expect((await testClient.preview(mail.token)).status).toBe(200);
    expect(await auditOf(id)).toEqual(['invitation_created user', `invitation_resent ${operators.actor}`]);
    const accepted = await testClient.accept({ token: mail.token, password: 'a horse for a guest' });
    expect(accepted.status, accepted.text).toBe(200);
  });

  it('resend makes an expired invitation pending again', async () => {
    const { id, email } = await testClient.invite();
    await testClient.expire(id);
    const view = await operators.json<InvitationView>(['invitations', 'resend', '--email', email, '--yes']);
    expect(view).toMatchObject({ id, status: 'PENDING' });
    const week = 7 * 86_400_000;
    expect(Date.parse(view.expiresAt) - Date.now()).toBeGreaterThan(week - 60_000);
    expect((await testClient.preview((await service.mailTo(email, 2)).token)).status).toBe(200);
  });

  it('resend is rejected if the inviter may no longer make the offer', async () => {
    const inviter = await testClient.member({
      delegation: { canManageUsers: true, grantableModules: ['a'] },
    });
    const { id, email } = await testClient.invite({ moduleGrants: ['a'] }, testClient.as(inviter));
    await service.sql('UPDATE company_memberships SET is_active = false WHERE user_id = $1', [inviter.id]);
    const result = await operators.run(['invitations', 'resend', id, '--yes']);
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('withdrawn');
    expect(service.mailsTo(email)).toHaveLength(1);
  });

  it('resend is rejected if no mail is delivered, and the previous link keeps working', async () => {
    const { id, token } = await testClient.invite();
    const env = { APP_ENV: 'production', LATCHKEY_OPERATOR: 'ann' };
    const result = await new OperatorClient(service, env).run(['invitations', 'resend', id, '--yes']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('SMTP_URL');
    expect((await testClient.preview(token)).status).toBe(200);
    expect(await auditOf(id)).toEqual(['invitation_created user']);
  });
});

describe('latchkey invitations cancel', () => {
  it('cancel closes an invitation at once, as the route does', async () => {
    const { id, email, token } = await testClient.invite();
    expect((await operators.run(['invitations', 'cancel', id])).code).toBe(2);
    const view = await operators.json(['invitations', 'cancel', '--email', email, '--yes']);
    expect(view).toEqual((await testClient.get(id)).data);
    expect(view).toMatchObject({ status: 'CANCELLED' });
    expect((await testClient.preview(token)).status).toBe(409);
    expect(await auditOf(id)).toEqual(['invitation_created user', `invitation_cancelled ${operators.actor}`]);
  });
});

describe('an invitation that is closed', () => {
  it.each(['resend', 'cancel'])(
    'a closed invitation cannot be changed by %s, and nothing is written',
    async (verb) => {
      const accepted = await testClient.invite();
      await testClient.accept({ token: accepted.token, password: 'a horse for a guest' });
      const cancelled = await testClient.invite();
      await testClient.cancel(cancelled.id);
      for (const [{ id }, reason] of [
        [accepted, 'accepted already'],
        [cancelled, 'was cancelled'],
      ] as const) {
        const [state, audit] = [await testClient.get(id), await auditOf(id)];
        const result = await operators.run(['invitations', verb, id, '--yes']);
        expect(result).toMatchObject({ code: 1, stdout: '' });
        expect(result.stderr).toContain(reason);
        expect([(await testClient.get(id)).data, await auditOf(id)]).toEqual([state.data, audit]);
      }
    },
  );

  it('an invitation of an address that became a member is not resent', async () => {
    const user = await service.createUser();
    const { id } = await testClient.invite({ email: user.email });
    await insertMembership(service.sql, { userId: user.id, companyId: testClient.company });
    const result = await operators.run(['invitations', 'resend', id, '--yes']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('is a member of it already');
  });

  it('an invitation that a newer one replaced is not resent', async () => {
    const { id, email } = await testClient.invite();
    await testClient.expire(id);
    await testClient.invite({ email });
    expect(await operators.run(['invitations', 'resend', id, '--yes'])).toMatchObject({ code: 1 });
    expect(await testClient.statesOf(email)).toEqual(['EXPIRED', 'PENDING']);
  });
});

describe('concurrent changes of one invitation by an operator and others', () => {
  it('each change is atomic, and the last state follows from their order', async () => {
    const { id, email } = await testClient.invite();
    const work = [
      operators.run(['invitations', 'cancel', id, '--yes']),
      testClient.cancel(id),
      testClient.resend(id),
    ] as const;
    const [byOperator, byAdmin, resent] = await Promise.all(work);
    expect([byOperator.code === 0, byAdmin.status === 200].filter(Boolean)).toHaveLength(1);
    expect([200, 409]).toContain(resent.status);
    expect(await testClient.statesOf(email)).toEqual(['CANCELLED']);
    const cancellations = (await auditOf(id)).filter((row) => row.startsWith('invitation_cancelled'));
    expect(cancellations).toHaveLength(1);
  });
});

it.each([
  ['an unknown id', ['show', UNKNOWN_ID], 3, `There is no invitation ${UNKNOWN_ID}.`],
  ['an unknown email', ['cancel', '--email', freshEmail(), '--yes'], 3, 'There is no invitation guest-'],
  ['an id that is too short', ['show', 'abc'], 2, 'too short'],
  ['no address', ['show', '--email', 'ada'], 2, '"ada" is not an email address.'],
  ['both an id and an email', ['show', UNKNOWN_ID, '--email', 'a@example.com'], 2, 'not both'],
  ['neither', ['resend', '--yes'], 2, '<invitation> is missing.'],
  ['no company', ['list'], 2, '--company <id> is missing.'],
  ['a company by name', ['list', '--company', 'acme'], 2, '"acme" is not a company id'],
])('invitations with %s exits with its own code', async (_what, args, code, sentence) => {
  const result = await operators.run(['invitations', ...args]);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toContain(sentence);
});

it('a resent invitation arrives by SMTP', async () => {
  const withSmtp = await serviceForThisTest({ smtp: true });
  const place = await InvitationClient.open(withSmtp);
  const { id, email } = await place.invite();
  const env = {
    SMTP_URL: withSmtp.smtp?.url ?? '',
    MAIL_FROM: 'auth@example.com',
    APP_ENV: 'production',
    LATCHKEY_OPERATOR: 'ann',
  };
  await new OperatorClient(withSmtp, env).json(['invitations', 'resend', id, '--yes']);
  const { token } = await withSmtp.mailTo(email, 2);
  expect((await place.preview(token)).data).toMatchObject({ email });
});

describeOnTerminal('on a terminal', () => {
  it('one of several invitations is chosen, and nothing is cancelled without confirmation', async () => {
    const [here, there] = [await InvitationClient.open(service), await InvitationClient.open(service)];
    const { id, email } = await here.invite({ email: 'e@example.com' });
    await there.invite({ email });
    const react = (shown: string): string | undefined => {
      if (shown.includes('(y/N)')) return 'n\r';
      return shown.includes('2 invitations went to') ? '\r' : undefined;
    };
    const args = ['invitations', 'cancel', '--email', email];
    const { code, stdout } = await runCliOnTerminal(args, react, { env: operators.env });
    expect(stdout).toContain(`Cancel the invitation of ${email}? Its link`);
    expect(stdout).toContain('Cancelled: nothing was changed.');
    expect(code).toBe(1);
    expect((await here.get(id)).data).toMatchObject({ status: 'PENDING' });
  });
});
