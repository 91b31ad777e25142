import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_ROLES } from '@latchkey/core';
import { OutboxRepository } from '../../packages/core/src/mail/outbox-repository.js';
import { Database } from '../../packages/core/src/storage/database.js';
import { PROFILE_COLUMNS } from '../../packages/core/src/users/profile-fields.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { takeApart } from '../support/forged-token.js';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { calledFrom } from '../support/person-client.js';
import { refresh } from '../support/refresh.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { agedSession } from '../support/step-up-client.js';
import { PASSWORD } from '../support/test-users.js';

const SECRET = 'secret-of-every-client-here';
const CLIENTS = {
  reader: ['internal:read', 'users:privileged'],
  writer: ['internal:read', 'internal:write'],
  privileged: ['internal:write', 'users:privileged'],
};
const ERASED = { status: 409, code: 'conflict', message: expect.stringContaining('was erased') as string };
const UNKNOWN_ID = '01a1f913-5d14-7023-b417-5c4708406d9b';

let service: TestService;
beforeAll(async () => {
  const secretHashes = [`sha256:${createHash('sha256').update(SECRET).digest('hex')}`];
  const clients = Object.entries(CLIENTS).map(([id, scopes]) => ({
    id,
    secretHashes,
    audiences: ['latchkey'],
    scopes,
  }));
  service = await startTestService({ env: { SERVICE_CLIENTS: JSON.stringify(clients), TRUST_PROXY: '1' } });
  // Keeps others from being the last one.
  await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
});
afterAll(() => service.stop());

const BODY = { reason: 'request 4711' };
const erase = (id: string, body: object = BODY, on = service) =>
  on.machine('DELETE', `/internal/admin/users/${id}/personal-data`, { body });
const eraseAs = (id: string, token: string, body: object = BODY, on = service) =>
  on.api('DELETE', `/internal/users/${id}/personal-data`, { token, body });
const rowOf = async (id: string) => (await service.sql('SELECT * FROM users WHERE id = $1', [id]))[0];

describe('who may erase', () => {
  it.each(GLOBAL_ROLES)('%s may erase exactly if they are a superadmin', async (role) => {
    const [staff, user] = [await signedInUser(service, { role }), await service.createUser()];
    const answer = await eraseAs(user.id, staff.token);
    const may = role === 'PLATFORM_SUPERADMIN';
    expect(answer.status, answer.text).toBe(may ? 200 : 403);
    expect((await rowOf(user.id))?.erased_at !== null).toBe(may);
  });

  it.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])(
    'the machine %s may erase exactly if its token has the scopes to write and for privileged users',
    async (clientId) => {
      const { data } = await service.api('POST', '/auth/service-token', {
        body: { clientId, clientSecret: SECRET },
      });
      const user = await service.createUser();
      const answer = await service.api('DELETE', `/internal/admin/users/${user.id}/personal-data`, {
        body: BODY,
        headers: { 'x-service-token': String(data.serviceToken) },
      });
      expect(answer.status, answer.text).toBe(clientId === 'privileged' ? 200 : 403);
    },
  );

  it('a superadmin does not erase themselves', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    expect(await eraseAs(staff.id, staff.token)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await rowOf(staff.id)).toMatchObject({ email: staff.email });
  });

  it('an erasure requires a reason, a credential and an existing user', async () => {
    const user = await service.createUser();
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }])
      expect((await erase(user.id, body)).status).toBe(400);
    const path = `/internal/users/${user.id}/personal-data`;
    expect((await service.api('DELETE', path, { body: BODY })).status).toBe(401);
    expect(await erase(UNKNOWN_ID)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await rowOf(user.id)).toMatchObject({ email: user.email });
  });

  it('an erasure by staff requires a recent sign-in', async () => {
    const strict = await serviceForThisTest({ env: { STAFF_STEP_UP: '15m' } });
    const staff = await strict.signedIn({ role: 'PLATFORM_SUPERADMIN' });
    const user = await strict.createUser();
    const aged = await agedSession(strict, staff);
    expect(await eraseAs(user.id, aged.token, BODY, strict)).toMatchObject({
      status: 401,
      code: 'reauthentication_required',
    });
    expect((await eraseAs(user.id, staff.accessToken, BODY, strict)).status).toBe(200);
  });

  it('the last active superadmin is not erased, by any caller', async () => {
    const alone = await serviceForThisTest();
    const last = await alone.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const refused = { status: 409, code: 'conflict' };
    expect(await erase(last.id, BODY, alone)).toMatchObject(refused);
    const admin = await signedInUser(alone, { role: 'PLATFORM_SUPERADMIN' });
    const [one, other] = await Promise.all([erase(last.id, BODY, alone), erase(admin.id, BODY, alone)]);
    expect([one.status, other.status].sort()).toEqual([200, 409]);
  });
});

describe('an erasure', () => {
  it('ends the sessions at once, for access and refresh tokens alike, and the feed has both entries', async () => {
    const user = await signedInUser(service);
    const before = await service.machine('GET', '/internal/revocations');
    expect((await erase(user.id)).data).toEqual({
      status: 'ok',
      id: user.id,
      erasedAt: expect.any(String) as string,
    });
    expect(await service.api('GET', '/auth/me', { token: user.token })).toMatchObject({
      status: 401,
      code: 'session_revoked',
    });
    expect(await refresh(service, user.refreshToken)).toMatchObject({ status: 401, code: 'session_revoked' });
    const path = `/internal/revocations?after=${String(before.data.cursor)}`;
    const { entries } = (await service.machine('GET', path)).data as unknown as { entries: object[] };
    expect(entries).toHaveLength(2);
    const [sid, at] = [String(takeApart(user.token).claims.sid), expect.any(String) as string];
    expect(entries).toContainEqual({ type: 'token-claims-change', sub: user.id, minTokenVersion: 2, at });
    expect(entries).toContainEqual({ type: 'session-revoked', sid, at });
    const sessions = await service.sql('SELECT revoke_reason, ip_address FROM sessions WHERE user_id = $1', [
      user.id,
    ]);
    expect(sessions).toEqual([{ revoke_reason: 'erased', ip_address: null }]);
  });

  it('writes one audit row with the actor, the reason and counts, and a repeated one returns the same and writes none', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const user = await signedInUser(service);
    const first = await eraseAs(user.id, staff.token, { reason: ' request 4711 ' });
    const again = await erase(user.id, { reason: 'once more' });
    expect(again.data).toEqual(first.data);
    const rows = await service.sql(
      `SELECT actor_user_id, details, ip_address IS NOT NULL AS has_address FROM auth_audit_logs
       WHERE event = 'personal_data_erased' AND subject_user_id = $1`,
      [user.id],
    );
    expect(rows).toMatchObject([
      {
        actor_user_id: staff.id,
        has_address: true,
        details: {
          statedReason: 'request 4711',
          reason: 'erased',
          revoked: 1,
          erased: { memberships: 0, passkeys: 0 },
        },
      },
    ]);
  });

  it('frees the address: it can be registered again, as another user', async () => {
    const user = await service.createUser();
    await erase(user.id);
    const body = { email: user.email, password: PASSWORD, fullName: 'Ada' };
    expect((await service.api('POST', '/auth/register', { body })).status).toBe(201);
    const [row] = await service.sql('SELECT id FROM users WHERE email = $1', [user.email]);
    expect(row?.id).not.toBe(user.id);
  });

  it('cancels what the user has offered and leaves what belongs to others', async () => {
    const company = await InvitationClient.open(service);
    const open = await company.invite();
    const other = await signedInUser(service, { fullName: 'Ada Lovelace' });
    const changes = new EmailChangeClient(service);
    const thief = await service.signedIn();
    // Naming the address of another user in a change makes nothing of theirs part of this one.
    await changes.request(thief.accessToken, other.email);
    const guest = await (await InvitationClient.open(service)).invite();
    await changes.request(thief.accessToken, guest.email);
    await service.api('POST', '/auth/password-reset/request', { body: { email: other.email } });
    await service.mailTo(other.email, 2);
    await erase(company.admin.id);
    await erase(thief.id);
    expect(await company.statesOf(open.email)).toEqual(['CANCELLED']);
    expect(await company.preview(open.token)).toMatchObject({ status: 409 });
    expect(await company.preview(guest.token)).toMatchObject({ status: 200 });
    const mails = await service.sql('SELECT kind FROM mail_outbox WHERE recipient = $1', [other.email]);
    expect(mails).toEqual([{ kind: 'password_reset' }]);
    expect(await rowOf(other.id)).toMatchObject({ email: other.email, full_name: other.fullName });
  });

  it('keeps the addresses of staff in what they did to the user, and removes what the user did to others', async () => {
    const device = { ipAddress: '203.0.113.9', userAgent: 'Office/1', deviceName: 'Office' };
    const [staff, user] = [
      await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' }),
      await signedInUser(service, { role: 'PLATFORM_ADMIN' }),
    ];
    const [byStaff, byUser] = [
      calledFrom(service, device),
      calledFrom(service, { ...device, ipAddress: '203.0.113.10' }),
    ];
    const guest = await service.createUser();
    const patch = (on: TestService, id: string, token: string) =>
      on.api('PATCH', `/internal/users/${id}`, { token, body: { fullName: 'New Name' } });
    expect((await patch(byStaff, user.id, staff.token)).status).toBe(200);
    expect((await patch(byUser, guest.id, user.token)).status).toBe(200);
    await erase(user.id);
    const addressOf = async (id: string) =>
      (
        await service.sql(
          `SELECT ip_address FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'user_updated'`,
          [id],
        )
      )[0];
    expect(await addressOf(user.id)).toEqual({ ip_address: device.ipAddress });
    expect(await addressOf(guest.id)).toEqual({ ip_address: null });
  });

  it('removes details that name the person, in a log longer than one slice', async () => {
    const user = await service.createUser({ fullName: 'Grace "Amazing" Höpper' });
    await service.sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id, ip_address, details, occurred_at)
       SELECT gen_random_uuid(), 'login', 'failure', 'anonymous', $1, '203.0.113.8',
         jsonb_build_object('note', CASE WHEN n % 2 = 0 THEN upper($2) ELSE 'nothing' END), now() - n * interval '1 second'
       FROM generate_series(1, 4500) n`,
      [user.id, user.fullName],
    );
    expect((await erase(user.id)).status).toBe(200);
    const rows = await service.sql(
      `SELECT details, ip_address, count(*)::int AS rows FROM auth_audit_logs
       WHERE subject_user_id = $1 AND event = 'login' GROUP BY 1, 2 ORDER BY 3 DESC, 1::text`,
      [user.id],
    );
    expect(rows).toEqual([
      { details: { erased: true }, ip_address: null, rows: 2250 },
      { details: { note: 'nothing' }, ip_address: null, rows: 2250 },
    ]);
  });

  it('nothing else of an audit row can be changed, not even by an erasure', async () => {
    const user = await service.createUser();
    await service.auth.audit.insert({
      event: 'login',
      outcome: 'failure',
      actor: { kind: 'anonymous' },
      subjectUserId: user.id,
      client: { ipAddress: '203.0.113.8', userAgent: null, deviceName: null, requestId: null },
    });
    for (const change of [
      `outcome = 'success'`,
      `ip_address = '203.0.113.99'`,
      'actor_user_id = subject_user_id',
    ]) {
      await expect(
        service.sql(`BEGIN; SET LOCAL latchkey.audit_erasure = 'on';
          UPDATE auth_audit_logs SET ${change} WHERE subject_user_id = '${user.id}'; COMMIT`),
      ).rejects.toThrow('an erasure removes personal data');
      await service.sql('ROLLBACK');
    }
    await expect(
      service.sql(`UPDATE auth_audit_logs SET ip_address = NULL WHERE subject_user_id = '${user.id}'`),
    ).rejects.toThrow('neither changed nor removed');
  });
});

describe('an erased user', () => {
  it('is rejected by everything that would change them, in the same way for staff, machines and operators', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const user = await service.createUser();
    await erase(user.id);
    const before = await rowOf(user.id);
    const bodies = [
      { approvalStatus: 'APPROVED', isActive: true },
      { globalRole: 'PLATFORM_ADMIN' },
      { fullName: 'Back Again' },
      { isActive: false },
    ];
    for (const body of bodies) {
      expect(
        await service.api('PATCH', `/internal/users/${user.id}`, { token: staff.token, body }),
      ).toMatchObject(ERASED);
      expect(await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body })).toMatchObject(
        ERASED,
      );
    }
    const admin = `/internal/admin/users/${user.id}`;
    expect(await service.machine('PATCH', admin, { body: { email: 'back@example.com' } })).toMatchObject(
      ERASED,
    );
    expect(await service.machine('DELETE', admin)).toMatchObject(ERASED);
    expect(await service.api('DELETE', `/internal/users/${user.id}`, { token: staff.token })).toMatchObject(
      ERASED,
    );
    expect(await service.machine('POST', `${admin}/sessions`)).toMatchObject(ERASED);
    expect(await service.machine('DELETE', `${admin}/factors`, { body: BODY })).toMatchObject(ERASED);
    const memberships = `/internal/admin/companies/${randomUUID()}/memberships`;
    expect(await service.machine('POST', memberships, { body: { userId: user.id } })).toMatchObject(ERASED);
    const operator = { kind: 'operator', name: 'alice' } as const;
    const erased = { code: 'conflict', reason: 'user_erased' };
    const { admin: tools } = service.auth;
    await expect(
      tools.passwords.set(operator, user.id, { password: 'a long walk home' }),
    ).rejects.toMatchObject(erased);
    await expect(tools.emailVerification.resend(operator, user.id)).rejects.toMatchObject(erased);
    expect(await rowOf(user.id)).toEqual(before);
  });

  it('cannot be changed by hand either, beside columns that say nothing', async () => {
    const user = await service.createUser();
    await erase(user.id);
    // Each field of a profile: a new one is easily missing in the trigger. The trigger comes before the check of a value.
    const profile = PROFILE_COLUMNS.map((column) => `${column} = 'de'`);
    for (const change of [
      `email = 'ada@example.com'`,
      `full_name = 'Ada'`,
      'is_active = true',
      'erased_at = NULL',
      ...profile,
    ])
      await expect(service.sql(`UPDATE users SET ${change} WHERE id = '${user.id}'`)).rejects.toThrow(
        'was erased',
      );
    await service.sql('UPDATE users SET token_version = token_version + 1');
    await expect(
      service.sql('INSERT INTO company_memberships (id, user_id, company_id) VALUES ($1, $2, $1)', [
        randomUUID(),
        user.id,
      ]),
    ).rejects.toThrow('was erased');
  });

  it('is shown by the id, with the time of the erasure, and in no list or search; no one can take their address', async () => {
    const user = await service.createUser();
    const { data } = await erase(user.id);
    const email = `erased-${user.id}@erased.invalid`;
    const shown = {
      id: user.id,
      email,
      fullName: null,
      isActive: false,
      globalRole: 'NONE',
      erasedAt: data.erasedAt,
    };
    expect((await service.machine('GET', `/internal/admin/users/${user.id}`)).data).toMatchObject({
      ...shown,
      legacyIds: {},
    });
    const context = await service.machine('GET', `/internal/admin/users/${user.id}/context`);
    expect(context.data).toMatchObject({ user: shown, companyMemberships: [], businessUnitMemberships: [] });
    const found = await service.machine('GET', '/internal/admin/users?isActive=false&search=erased-');
    expect(found.items).toEqual([]);
    expect(await service.auth.admin.users.findByPrefix(email, 2)).toEqual([]);
    expect(await service.auth.admin.users.findByPrefix(user.id, 2)).toMatchObject([shown]);
    const other = `erased-${UNKNOWN_ID}@erased.invalid`;
    for (const address of [email, other]) {
      const body = { email: address, password: PASSWORD, fullName: 'Ada' };
      expect((await service.api('POST', '/auth/register', { body })).status).toBe(400);
      expect(
        (await service.machine('POST', '/internal/admin/users', { body: { email: address } })).status,
      ).toBe(400);
    }
    const body = { email: user.email, password: user.password };
    expect((await service.api('POST', '/auth/login', { body })).code).toBe('unauthorized');
  });
});

describe('what the service writes about an erased user afterwards', () => {
  const client = { ipAddress: '203.0.113.8', userAgent: 'Late/1', deviceName: null, requestId: null };

  it('an audit row of a request that began before has neither address nor user agent', async () => {
    const user = await service.createUser();
    await erase(user.id);
    const about = { event: 'login', outcome: 'failure', subjectUserId: user.id, client } as const;
    await service.auth.audit.insert({ ...about, actor: { kind: 'anonymous' } });
    await service.auth.audit.insert({ ...about, actor: { kind: 'user', userId: user.id } });
    const rows = await service.sql(
      `SELECT ip_address, user_agent FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'login'`,
      [user.id],
    );
    expect(rows).toEqual([0, 1].map(() => ({ ip_address: null, user_agent: null })));
  });

  it('a mail that a request has prepared before is not queued', async () => {
    const user = await service.createUser();
    await erase(user.id);
    const mail = {
      kind: 'password_reset',
      recipient: user.email,
      payload: { userId: user.id, fullName: null },
    } as const;
    const database = new Database({ url: service.databaseUrl, poolMax: 1, preparedStatements: true });
    await database.transaction((trx) => new OutboxRepository(database).enqueue(trx, mail));
    await database.close();
    expect(await service.sql('SELECT 1 FROM mail_outbox WHERE recipient = $1', [user.email])).toEqual([]);
  });
});
