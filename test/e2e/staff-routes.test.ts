import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthReport, outboxMailView } from '@latchkey/core/schemas';
import { CoreService } from '../../examples/core-service/core-service.js';
import type { Answer } from '../support/api-client.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { InvitationClient } from '../support/invitation-client.js';
import { mintTokens, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { openConnection } from '../support/open-connection.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { agedSession } from '../support/step-up-client.js';
import { insertMembership } from '../support/test-memberships.js';
import { insertPasskey } from '../support/test-passkeys.js';
import { waitUntil } from '../support/wait-until.js';

const CORE_KEY = 'key-of-the-core-service';

let core: CoreService;
let service: TestService;
let superadmin: SignedInTestUser;
let admin: SignedInTestUser;

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({ env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY } });
  superadmin = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
  admin = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
});

afterAll(async () => {
  await service.stop();
  await core.stop();
});

const ask = (method: string, path: string, { token } = admin): Promise<Answer> =>
  service.api(method, path, { token });

describe('the audit log for staff', () => {
  const listed = async (query: string): Promise<Answer> => {
    const answer = await ask('GET', `/internal/audit-logs?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };
  const eventsOf = ({ items }: Answer): unknown[] => items.map(({ event }) => event);

  it('a user is found as actor and as subject, each entry once, and ended sessions have their reason', async () => {
    const user = await signedInUser(service);
    await service.api('PATCH', '/auth/me', { token: user.token, body: { fullName: 'Grace' } });
    await ask('POST', `/internal/users/${user.id}/revoke-all`);
    const timeline = await listed(`userId=${user.id}`);

    expect(eventsOf(timeline)).toEqual(['sessions_revoked', 'profile_updated', 'session_minted']);
    expect(timeline.items[0]).toMatchObject({
      actorUserId: admin.id,
      subjectUserId: user.id,
      details: { reason: 'revoke_all', revoked: 1 },
    });
    expect(eventsOf(await listed(`userId=${user.id}&event=profile_updated`))).toEqual(['profile_updated']);
    const machine = await service.machine('GET', `/internal/admin/audit-logs?userId=${user.id}`);
    expect(machine.items).toEqual(timeline.items);
    const pages = [await listed(`userId=${user.id}&limit=2`)];
    pages.push(
      await listed(`userId=${user.id}&limit=2&cursor=${String(pages[0]?.headers['x-next-cursor'])}`),
    );
    expect(pages.flatMap(eventsOf)).toEqual(eventsOf(timeline));
    expect(pages[1]?.headers['x-next-cursor']).toBeUndefined();
  });

  /**
   * Follows the log of a user. Each call returns the entries that no earlier one had: an entry may come again while
   * transactions of its time still run, also those of other databases of the same PostgreSQL.
   */
  function follower({ id }: { id: string }) {
    const seen = new Set<string>();
    let cursor = '';
    return async (limit = 50): Promise<unknown[]> => {
      const page = await listed(`tail=true&subjectUserId=${id}&limit=${limit}${cursor}`);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      cursor = `&cursor=${String(page.headers['x-next-cursor'])}`;
      const fresh = page.items.filter((entry) => !seen.has(entry.id));
      for (const entry of fresh) seen.add(entry.id);
      return fresh.map(({ event }) => event);
    };
  }

  it('a reader that follows the log gets what is committed, in the order of times, and then nothing', async () => {
    const user = await service.createUser();
    const follow = follower(user);
    await mintTokens(service, user.id);
    expect(await follow()).toEqual(['session_minted']);
    expect(await follow()).toEqual([]);
    await ask('POST', `/internal/users/${user.id}/revoke-all`);
    await ask('POST', `/internal/users/${user.id}/password-reset`);
    await mintTokens(service, user.id);
    expect([...(await follow(2)), ...(await follow(2))]).toEqual([
      'sessions_revoked',
      'password_reset_requested',
      'session_minted',
    ]);
    expect(await follow()).toEqual([]);
  });

  it('an entry that is committed late, also under a savepoint, is not skipped', async () => {
    const user = await service.createUser();
    const follow = follower(user);
    const late = await openConnection(service.databaseUrl);
    const write = (event: string) =>
      late.query(
        `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id, details)
         VALUES (gen_random_uuid(), $1, 'success', 'test', $2, '{}')`,
        [event, user.id],
      );
    try {
      await late.query('BEGIN');
      await write('login');
      await late.query('SAVEPOINT inner_work');
      await write('logout');
      await mintTokens(service, user.id);
      expect(await follow()).toEqual(['session_minted']);
      await late.query('COMMIT');
      expect((await follow()).toSorted()).toEqual(['login', 'logout']);
      expect(await follow()).toEqual([]);
    } finally {
      await late.end();
    }
  });

  it.each([
    'abc',
    Buffer.from('t.1').toString('base64url'),
    Buffer.from('t.1.2.3.4.x').toString('base64url'),
  ])('the cursor %s is refused', async (cursor) => {
    for (const tail of ['true', 'false']) {
      const answer = await ask('GET', `/internal/audit-logs?tail=${tail}&cursor=${cursor}`);
      expect([answer.status, answer.code]).toEqual([400, 'validation_error']);
    }
  });
});

describe('the outbox for staff', () => {
  it('staff find a mail by kind, state and recipient without its content, and send a failed one again', async () => {
    const user = await service.createUser();
    await ask('POST', `/internal/users/${user.id}/password-reset`);
    await service.mailTo(user.email);
    const find = async (query = '') => {
      const answer = await ask('GET', `/internal/mail?to=${encodeURIComponent(user.email)}${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.items;
    };
    const [mail] = await waitUntil(
      async () => {
        const sent = await find('&state=sent&kind=password_reset');
        return sent.length > 0 ? sent : undefined;
      },
      { what: 'the sent mail' },
    );
    expect(outboxMailView.strict().parse(mail)).toMatchObject({ kind: 'password_reset', attempts: 1 });
    expect(await find('&state=failed')).toEqual([]);
    expect(await find('&kind=invitation')).toEqual([]);
    const retry = `/internal/mail/${String(mail?.id)}/retry`;
    expect(await ask('POST', retry)).toMatchObject({ status: 409, code: 'conflict' });

    await service.sql(
      `UPDATE mail_outbox SET status = 'DEAD', sent_at = NULL, last_error = 'https://x.test/?token=1' WHERE id = $1`,
      [mail?.id],
    );
    expect((await find())[0]).toMatchObject({ state: 'failed', lastError: '[address]', nextAttemptAt: null });
    const retried = await ask('POST', retry);
    expect(retried).toMatchObject({ status: 200, data: { id: mail?.id, state: 'retrying' } });
    const entry = await service.sql(
      `SELECT actor_user_id, details FROM auth_audit_logs WHERE event = 'mail_retried'`,
    );
    expect(entry).toEqual([{ actor_user_id: admin.id, details: { mailIds: [mail?.id] } }]);
    await service.mailTo(user.email, 2);
  });

  it('an unknown mail, and an unknown state, are refused', async () => {
    expect(await ask('POST', `/internal/mail/${randomUUID()}/retry`)).toMatchObject({ status: 404 });
    expect(await ask('GET', '/internal/mail?state=lost')).toMatchObject({ status: 400 });
  });
});

describe('mails that staff send to users', () => {
  const reset = (id: string) => ask('POST', `/internal/users/${id}/password-reset`);
  const verification = (id: string) => ask('POST', `/internal/users/${id}/email-verification`);
  const reasonOf = async (id: string, kind: string): Promise<unknown> => {
    const answer = await fetch(`${service.url}/internal/users/${id}/${kind}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, accept: 'application/problem+json' },
    });
    const { reason } = (await answer.json()) as { reason?: unknown };
    return [answer.status, reason];
  };

  it('the reset mail has a link that works, is audited, and counts like those that users request', async () => {
    const user = await service.createUser({ password: null });
    expect(await reset(user.id)).toMatchObject({ status: 200, data: { status: 'ok' } });
    const { token } = await service.mailTo(user.email);
    const newPassword = 'another long walk home';
    const confirm = { body: { token, newPassword } };
    expect((await service.api('POST', '/auth/password-reset/confirm', confirm)).status).toBe(200);
    await service.signIn({ email: user.email, password: newPassword });
    expect(
      await service.sql(
        `SELECT actor_user_id, outcome FROM auth_audit_logs
         WHERE event = 'password_reset_requested' AND subject_user_id = $1`,
        [user.id],
      ),
    ).toEqual([{ actor_user_id: admin.id, outcome: 'success' }]);
    for (let more = 0; more < 3; more++) expect((await reset(user.id)).status).toBe(200);
    const states = await waitUntil(
      async () => {
        const rows = await service.sql('SELECT status FROM mail_outbox WHERE user_id = $1', [user.id]);
        return rows.some(({ status }) => status === 'PENDING') ? undefined : rows;
      },
      { what: 'mails that are all sent or skipped' },
    );
    expect(states.filter(({ status }) => status === 'SKIPPED')).toHaveLength(1);
  });

  it('users who may not sign in get no reset mail, and the reason says why', async () => {
    for (const wanted of [{ approval: 'PENDING' }, { approval: 'REJECTED' }, { active: false }] as const) {
      const user = await service.createUser(wanted);
      expect(await reasonOf(user.id, 'password-reset')).toEqual([409, 'sign_in_not_allowed']);
      expect(await service.sql('SELECT 1 FROM mail_outbox WHERE user_id = $1', [user.id])).toEqual([]);
    }
    expect(await reset(randomUUID())).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('the verification mail is sent three times an hour, and not to a proved mailbox', async () => {
    const user = await service.createUser({ approval: 'PENDING', emailVerified: false });
    for (let mail = 0; mail < 3; mail++) {
      expect(await verification(user.id)).toMatchObject({ status: 200, data: { id: user.id } });
    }
    const refused = await verification(user.id);
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    const { token } = await service.mailTo(user.email);
    expect((await service.api('POST', '/auth/email/verify', { body: { token } })).status).toBe(200);
    expect(await reasonOf(user.id, 'email-verification')).toEqual([409, 'mailbox_confirmed']);
  });
});

describe('what belongs to a user', () => {
  it('staff see sessions, passkeys and factors of a user, and nothing secret', async () => {
    const user = await signedInUser(service);
    const [passkeyId, { factorId }] = [
      await insertPasskey(service.sql, user.id),
      await enrolFactor(service.sql, user.id),
    ];
    const of = async (what: string) => ask('GET', `/internal/users/${user.id}/${what}`);
    expect((await of('sessions')).items).toMatchObject([{ userId: user.id, origin: 'minted' }]);
    const passkeys = await of('passkeys');
    expect(passkeys.items).toMatchObject([{ id: passkeyId, name: 'Phone' }]);
    expect(passkeys.headers['x-total-count']).toBe('1');
    const { data } = await of('factors');
    expect(data).toEqual({
      factors: [{ id: factorId, kind: 'totp', name: 'Phone', createdAt: expect.any(String) as string }],
      recoveryCodesLeft: 10,
      passkeys: 1,
      codesBlocked: false,
    });
    for (const what of ['sessions', 'passkeys', 'factors']) {
      expect(await ask('GET', `/internal/users/${randomUUID()}/${what}`)).toMatchObject({ status: 404 });
    }
  });

  it('a superadmin removes one passkey of the user in the path: audited, and the user is notified', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    const id = await insertPasskey(service.sql, user.id, 'Lost phone');
    const remove = (userId: string) => ask('DELETE', `/internal/users/${userId}/passkeys/${id}`, superadmin);
    expect(await remove(other.id)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await remove(user.id)).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(await remove(user.id)).toMatchObject({ status: 404 });
    expect((await service.mailTo(user.email)).text).toContain('Lost phone');
    expect(
      await service.sql(
        `SELECT actor_user_id, details FROM auth_audit_logs WHERE event = 'passkey_removed' AND subject_user_id = $1`,
        [user.id],
      ),
    ).toEqual([{ actor_user_id: superadmin.id, details: { passkeyId: id } }]);
  });

  it('removing a passkey requires a recent sign-in of staff', async () => {
    const strict = await serviceForThisTest({ env: { STAFF_STEP_UP: '15m' } });
    const staff = await strict.signedIn({ role: 'PLATFORM_SUPERADMIN' });
    const { id: userId } = await strict.createUser();
    const path = `/internal/users/${userId}/passkeys/${await insertPasskey(strict.sql, userId)}`;
    const { token } = await agedSession(strict, staff);
    expect(await strict.api('DELETE', path, { token })).toMatchObject({ code: 'reauthentication_required' });
    expect((await strict.api('DELETE', path, { token: staff.accessToken })).status).toBe(200);
  });

  it('the access of a user in a company is explained', async () => {
    const [user, companyId] = [await service.createUser(), randomUUID()];
    core.set(companyId, { modules: ['invoices', 'payroll'] });
    await insertMembership(service.sql, { userId: user.id, companyId, moduleGrants: ['invoices'] });
    const answer = await service.api('GET', `/internal/users/${user.id}/access?explain=true`, {
      token: admin.token,
      headers: { 'x-org': companyId },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.data).toMatchObject({
      modules: ['invoices'],
      explanation: [
        { moduleKey: 'invoices', isEffective: true, reason: 'granted' },
        { moduleKey: 'payroll', isEffective: false, reason: 'not_granted' },
      ],
    });
  });
});

describe('sessions and invitations of all', () => {
  it('the list of sessions can be limited to a user, and the numbers count them', async () => {
    const user = await signedInUser(service);
    const { items } = await ask('GET', `/internal/sessions?userId=${user.id}`);
    expect(items).toMatchObject([{ userId: user.id }]);
    const all = await ask('GET', '/internal/sessions?limit=1');
    expect([all.items.length, all.items[0]?.userId]).toEqual([1, user.id]);
    const stats = await ask('GET', '/internal/session-stats');
    expect(stats.data.activeSessions).toBe(Number(all.headers['x-total-count']));
  });

  it('invitations of all companies are found by status, company and address, and staff resend and cancel them', async () => {
    const [one, two] = [await InvitationClient.open(service), await InvitationClient.open(service)];
    const [pending, expired, other] = [await one.invite(), await one.invite(), await two.invite()];
    await service.sql(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id,
    ]);
    const idsOf = async (query: string) =>
      (await ask('GET', `/internal/invitations?${query}`)).items.map(({ id }) => id);
    expect(await idsOf('')).toEqual([other.id, expired.id, pending.id]);
    expect(await idsOf(`companyId=${one.company}`)).toEqual([expired.id, pending.id]);
    expect(await idsOf('status=PENDING')).toEqual([other.id, pending.id]);
    expect(await idsOf('status=EXPIRED')).toEqual([expired.id]);
    expect(await idsOf(`email=${encodeURIComponent(other.email)}`)).toEqual([other.id]);
    expect(await idsOf('status=ACCEPTED')).toEqual([]);

    expect((await one.resend(expired.id, one.as(admin))).status).toBe(200);
    expect((await one.cancel(pending.id, one.as(admin))).status).toBe(200);
    expect(await idsOf(`companyId=${one.company}&status=CANCELLED`)).toEqual([pending.id]);
    expect(await idsOf(`companyId=${one.company}&status=PENDING`)).toEqual([expired.id]);
  });
});

describe('the health of the service', () => {
  it('the report has dependencies, mail and facts, and no secret', async () => {
    const answer = await ask('GET', '/internal/health');
    const report = healthReport.parse(answer.data);
    expect(report).toMatchObject({
      status: 'ready',
      dependencies: [
        { name: 'database', status: 'ok', isRequired: true, fault: null },
        { name: 'redis', status: 'not_configured', latencyMs: null },
        { name: 'finance', status: 'not_configured', latencyMs: null },
      ],
      mail: { failed: 0 },
      revocationFeed: { listeners: 0, lagSeconds: 0 },
      facts: { environment: 'test', store: 'memory', mailTransport: 'inbox', registration: true },
    });
    expect(report.dependencies[0]?.latencyMs).toBeGreaterThan(0);
    expect(report.databasePool.max).toBe(service.auth.settings.database.poolMax);
    expect(answer.text).not.toContain(CORE_KEY);
    expect(answer.text).not.toContain('postgres://');
  });

  it('a report of a process that stops says that it is not ready', async () => {
    const stopping = await serviceForThisTest();
    stopping.auth.health.stop();
    expect((await stopping.auth.healthReport.read()).status).toBe('not_ready');
  });
});
