import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '@latchkey/core';
import { mintTokens } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { agedSession, stepUp } from '../support/step-up-client.js';

const REFUSED = { status: 401, code: 'reauthentication_required' };
const CHALLENGE = 'Bearer error="insufficient_user_authentication", max_age=900';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { STAFF_STEP_UP: '15m' } });
});
afterAll(() => service.stop());

/** A superadmin whose sign-in is an hour old. */
async function staffOfAnHourAgo(on = service) {
  const staff = await on.signedIn({ role: 'PLATFORM_SUPERADMIN' });
  return { ...staff, ...(await agedSession(on, staff)) };
}

const users = (token: string, method: string, path = '', body?: object) =>
  service.api(method, `/internal/users${path}`, { token, body });
const roleOf = async (id: string) => (await service.sql('SELECT * FROM users WHERE id = $1', [id]))[0];

describe('what is required of staff', () => {
  it('a change of a role, a deactivation and a withdrawn approval require a recent sign-in, and write nothing', async () => {
    const [staff, user] = [await staffOfAnHourAgo(), await service.createUser()];
    const before = await roleOf(user.id);
    for (const [method, body] of [
      ['PATCH', { globalRole: 'PLATFORM_ADMIN' }],
      ['PATCH', { fullName: 'Grace', isActive: false }],
      ['PATCH', { approvalStatus: 'REJECTED' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await users(staff.token, method, `/${user.id}`, body);
      expect(answer).toMatchObject(REFUSED);
      expect(answer.headers['www-authenticate']).toBe(CHALLENGE);
    }
    expect(await roleOf(user.id)).toEqual(before);
    const create = { email: 'boss@example.com', globalRole: 'PLATFORM_ADMIN' };
    expect(await users(staff.token, 'POST', '', create)).toMatchObject(REFUSED);
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [create.email])).toEqual([]);
  });

  it('after a step-up the new token is accepted, and the older one is not', async () => {
    const [staff, user] = [await staffOfAnHourAgo(), await service.createUser()];
    const { data } = await stepUp(service, staff.token, { password: staff.password });
    const promote = { globalRole: 'PLATFORM_MODERATOR' };
    expect(await users(staff.token, 'PATCH', `/${user.id}`, promote)).toMatchObject(REFUSED);
    expect((await users(data.accessToken, 'PATCH', `/${user.id}`, promote)).status).toBe(200);
  });

  it('everything else needs no recent sign-in', async () => {
    const staff = await staffOfAnHourAgo();
    const [user, waiting] = [
      await service.createUser({ role: 'PLATFORM_ADMIN' }),
      await service.createUser({ approval: 'PENDING' }),
    ];
    for (const [id, body] of [
      [user.id, { fullName: 'Grace' }],
      [user.id, { globalRole: 'PLATFORM_ADMIN', isActive: true }],
      [waiting.id, { approvalStatus: 'APPROVED', isActive: true }],
    ] as const) {
      expect((await users(staff.token, 'PATCH', `/${id}`, body)).status).toBe(200);
    }
    const create = { email: 'plain@example.com' };
    expect((await users(staff.token, 'POST', '', create)).status).toBe(201);
  });

  it('a user who may not act at all gets 403, whatever the age of the sign-in', async () => {
    const plain = await service.signedIn();
    const { token } = await agedSession(service, plain);
    const { id } = await service.createUser();
    expect(await users(token, 'DELETE', `/${id}`)).toMatchObject({ status: 403 });
  });

  it('a session that a machine opened is never recent enough', async () => {
    const staff = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const { token } = await mintTokens(service, staff.id);
    const { id } = await service.createUser();
    expect(await users(token, 'DELETE', `/${id}`)).toMatchObject(REFUSED);
  });

  it('machines are not asked', async () => {
    const { id } = await service.createUser();
    const path = `/internal/admin/users/${id}`;
    expect((await service.machine('PATCH', path, { body: { globalRole: 'PLATFORM_ADMIN' } })).status).toBe(
      200,
    );
    expect((await service.machine('DELETE', path)).status).toBe(200);
  });

  it('an administrator whose sign-in a host app does not pass on is refused', async () => {
    const staff = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const { id } = await service.createUser();
    const administrator = { kind: 'user', userId: staff.id, globalRole: 'PLATFORM_SUPERADMIN' } as const;
    await expect(service.auth.admin.users.deactivate(administrator, id)).rejects.toMatchObject({
      code: 'reauthentication_required',
      challenge: { maxAgeSeconds: 900 },
    });
  });
});

describe('STAFF_STEP_UP', () => {
  it('STAFF_STEP_UP is 15 minutes by default', () => {
    expect(readSettings({ DATABASE_URL: 'postgres://app@127.0.0.1:1/none' }).staff.stepUp).toBe(900);
  });

  it('STAFF_STEP_UP=off accepts a sign-in of any age', async () => {
    const lenient = await serviceForThisTest({ env: { STAFF_STEP_UP: 'off' } });
    const staff = await staffOfAnHourAgo(lenient);
    const { id } = await lenient.createUser();
    expect((await lenient.api('DELETE', `/internal/users/${id}`, { token: staff.token })).status).toBe(200);
  });
});

describe('the notice of a new role', () => {
  it('a user whose role was changed gets a notice with both roles', async () => {
    const user = await service.createUser();
    for (const globalRole of ['PLATFORM_MODERATOR', 'PLATFORM_ADMIN', 'NONE']) {
      const path = `/internal/admin/users/${user.id}`;
      expect((await service.machine('PATCH', path, { body: { globalRole } })).status).toBe(200);
    }
    const text = async (count: number) =>
      (await service.mailTo(user.email, count)).text.replaceAll(/\s+/g, ' ');
    expect(await text(1)).toContain('Your role is now "Platform moderator".');
    expect(await text(2)).toContain(
      'Your role is now "Platform admin"; before, it was "Platform moderator".',
    );
    expect(await text(3)).toContain('You no longer have the role "Platform admin".');
  });

  it('there is no notice without a new role, nor to a user who may not sign in', async () => {
    const [user, inactive] = [
      await service.createUser({ role: 'PLATFORM_ADMIN' }),
      await service.createUser({ active: false }),
    ];
    const patch = (id: string, body: object) =>
      service.machine('PATCH', `/internal/admin/users/${id}`, { body });
    await patch(user.id, { globalRole: 'PLATFORM_ADMIN', fullName: 'Grace' });
    await patch(inactive.id, { globalRole: 'PLATFORM_ADMIN' });
    const mails = await service.sql('SELECT kind FROM mail_outbox WHERE recipient = ANY($1)', [
      [user.email, inactive.email],
    ]);
    expect(mails).toEqual([]);
  });
});
