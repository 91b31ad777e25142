import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_ROLES, type GlobalRole } from '@latchkey/core';
import {
  actingCode,
  exchangeActing,
  mintActing,
  REASON,
  sessionOf,
  staffMember,
  type ActingSession,
} from '../support/acting.js';
import { CookieBrowser, cookiesSetBy } from '../support/cookie-browser.js';
import { takeApart } from '../support/forged-token.js';
import { mintTokens, type SignedInTestUser } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import { refresh } from '../support/refresh.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { agedSession, stepUp } from '../support/step-up-client.js';
import { insertMembership } from '../support/test-memberships.js';
import type { TestUser } from '../support/test-users.js';

const ON = { STAFF_ACTING: 'on', TRUST_PROXY: '1' };
const INVALID = { status: 401, body: { code: 'unauthorized', reason: 'handoff_code_invalid' } };
const MODERATOR = 'PLATFORM_MODERATOR';
const ADMIN = 'PLATFORM_ADMIN';
const SUPERADMIN = 'PLATFORM_SUPERADMIN';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: ON });
  // Keeps others from being the last one.
  await service.createUser({ role: SUPERADMIN });
});
afterAll(() => service.stop());

const admin = (wanted = {}): Promise<SignedInTestUser> => staffMember(service, { role: ADMIN, ...wanted });
const patch = (id: string, body: object) => service.machine('PATCH', `/internal/admin/users/${id}`, { body });
const me = (token: string) => service.api('GET', '/auth/me', { token });
const sessionsOf = ({ id }: TestUser) => service.sql('SELECT id FROM sessions WHERE user_id = $1', [id]);

async function codeOf(staff: SignedInTestUser, user: TestUser, input = {}): Promise<string> {
  const answer = await actingCode(service, staff.token, user.id, input);
  expect(answer.status, answer.text).toBe(201);
  return String(answer.data.code);
}

async function redeemed(code: string): Promise<ActingSession> {
  const answer = await exchangeActing(service, code);
  expect(answer.status, answer.text).toBe(200);
  const { accessToken: token, refreshToken, expiresIn } = answer.data;
  return { token, refreshToken, sessionId: sessionOf(token), expiresIn: Number(expiresIn) };
}

/** A member of staff, a user, and the session in which the first acts for the second. */
async function acting(input = {}) {
  const [staff, user] = [await admin(), await service.createUser()];
  return { staff, user, session: await redeemed(await codeOf(staff, user, input)) };
}

describe('a code by which staff act for a user', () => {
  it('it is no token of a session, is valid for a minute, and opens nothing before it is exchanged', async () => {
    const [staff, user] = [await admin(), await service.createUser()];
    const answer = await actingCode(service, staff.token, user.id, { reason: ' Ticket 1 ', minutes: 5 });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.data).toEqual({ code: expect.stringMatching(/^lka_[\w-]{43}$/) as unknown, expiresIn: 60 });
    expect(await sessionsOf(user)).toEqual([]);
    expect(service.mailsTo(user.email)).toEqual([]);
    const rows = await service.sql(
      `SELECT actor_user_id, session_id, details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'acting_code_created'`,
      [user.id],
    );
    expect(rows).toEqual([
      {
        actor_user_id: staff.id,
        session_id: sessionOf(staff.token),
        details: { statedReason: 'Ticket 1', seconds: 300 },
      },
    ]);
  });

  it('it lives no longer than a hand-off code', async () => {
    for (const [ttl, expected] of [
      ['5m', 60],
      ['20', 20],
    ] as const) {
      const own = await serviceForThisTest({ env: { ...ON, HANDOFF_TTL: ttl } });
      const staff = await staffMember(own, { role: ADMIN });
      const { data } = await actingCode(own, staff.token, (await own.createUser()).id);
      expect(data.expiresIn).toBe(expected);
    }
  });

  it('after its end it opens no session', async () => {
    const own = await serviceForThisTest({ env: { ...ON, HANDOFF_TTL: '1' } });
    const [staff, user] = [await staffMember(own, { role: ADMIN }), await own.createUser()];
    const { data } = await actingCode(own, staff.token, user.id);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await exchangeActing(own, data.code)).toMatchObject(INVALID);
  });

  it('while STAFF_ACTING is off, and by default in production, the routes do not exist', async () => {
    const off = await serviceForThisTest({ env: { STAFF_ACTING: 'off' } });
    const staff = await staffMember(off, { role: SUPERADMIN });
    const user = await off.createUser();
    const missing = { status: 404, body: { code: 'not_found', reason: 'endpoint_not_found' } };
    expect(await actingCode(off, staff.token, user.id)).toMatchObject(missing);
    expect(await exchangeActing(off, `lka_${'a'.repeat(43)}`)).toMatchObject(missing);
  });

  it.each([
    ['no reason', { reason: undefined }, '/reason'],
    ['a reason of spaces', { reason: '  ' }, '/reason'],
    ['a reason that is too long', { reason: 'x'.repeat(501) }, '/reason'],
    ['no time', { minutes: 0 }, '/minutes'],
    ['a part of a minute', { minutes: 1.5 }, '/minutes'],
    ['more than MINT_MAX_LIFETIME', { minutes: 61 }, '/minutes'],
    ['a company that is no id', { companyId: 'acme' }, '/companyId'],
  ])('%s is 400 and names the field', async (_what, input, pointer) => {
    const [staff, user] = [await admin(), await service.createUser()];
    const answer = await actingCode(service, staff.token, user.id, input);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});

describe('the role table of acting', () => {
  const ALLOWED: Partial<Record<GlobalRole, readonly GlobalRole[]>> = {
    [SUPERADMIN]: ['NONE', ADMIN, MODERATOR],
    [ADMIN]: ['NONE', MODERATOR],
  };

  it.each(GLOBAL_ROLES)(
    '%s acts for exactly the users of lower roles, and never for themselves',
    async (role) => {
      const staff = await staffMember(service, { role });
      for (const target of GLOBAL_ROLES) {
        const user = await service.createUser({ role: target });
        const { status } = await actingCode(service, staff.token, user.id);
        expect(status, target).toBe(ALLOWED[role]?.includes(target) ? 201 : 403);
      }
      expect((await actingCode(service, staff.token, staff.id)).status).toBe(403);
    },
  );

  it.each([
    ['inactive', { active: false }, 'account_inactive'],
    ['waiting for approval', { approval: 'PENDING' }, 'pending_approval'],
    ['rejected', { approval: 'REJECTED' }, 'registration_rejected'],
  ] as const)('a user who is %s is not acted for', async (_what, wanted, code) => {
    const [staff, user] = [await admin(), await service.createUser(wanted)];
    expect(await actingCode(service, staff.token, user.id)).toMatchObject({ status: 403, body: { code } });
  });

  it('an unknown user is 404, and one whose data was erased is 409', async () => {
    const staff = await admin();
    expect((await actingCode(service, staff.token, randomUUID())).status).toBe(404);
    const user = await service.createUser();
    await service.machine('DELETE', `/internal/admin/users/${user.id}/personal-data`, {
      body: { reason: 'asked' },
    });
    expect((await actingCode(service, staff.token, user.id)).status).toBe(409);
  });

  it('machines have their own route, and anonymous clients none', async () => {
    const { id } = await service.createUser();
    const path = `/internal/users/${id}/acting-codes`;
    expect((await service.machine('POST', path, { body: { reason: REASON } })).status).toBe(401);
    const direct = service.auth.staffActing?.createCode({ kind: 'machine', name: 'tests' }, id, {
      reason: REASON,
    });
    await expect(direct).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('an actor does not act for others in the session of a member of staff', async () => {
    const staff = await service.createUser({ role: ADMIN });
    const { token } = await mintActing(service, staff.id);
    const { id } = await service.createUser();
    expect(await actingCode(service, token, id)).toMatchObject({
      status: 403,
      body: { reason: 'not_while_acting' },
    });
  });

  it('it requires a recent sign-in of the member of staff', async () => {
    const strict = await serviceForThisTest({ env: { ...ON, STAFF_STEP_UP: '15m' } });
    const signedIn = await strict.signedIn({ role: ADMIN });
    const { token } = await agedSession(strict, signedIn);
    const user = await strict.createUser();
    expect(await actingCode(strict, token, user.id)).toMatchObject({
      status: 401,
      body: { code: 'reauthentication_required' },
    });
    const { data } = await stepUp(strict, token, { password: signedIn.password });
    expect((await actingCode(strict, data.accessToken, user.id)).status).toBe(201);
  });
});

describe('the exchange of the code', () => {
  it('it opens a session that names who acts, why and until when, once', async () => {
    const [staff, user] = [await admin(), await service.createUser()];
    const code = await codeOf(staff, user, { minutes: 10 });
    const session = await redeemed(code);
    expect(takeApart(session.token).claims).toMatchObject({
      sub: user.id,
      act: { sub: staff.id },
      amr: ['mca'],
      acr: 'aal1',
    });
    const { data } = await me(session.token);
    expect(data.actor).toEqual({
      userId: staff.id,
      name: 'Grace Hopper',
      reason: REASON,
      until: expect.any(String) as unknown,
    });
    const minutes = (Date.parse((data.actor as { until: string }).until) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThanOrEqual(10.1);
    expect(await exchangeActing(service, code)).toMatchObject(INVALID);
    expect(await sessionsOf(user)).toHaveLength(1);
  });

  it('a session of the user has no actor in the profile', async () => {
    const { token } = await mintTokens(service, (await service.createUser()).id);
    expect((await me(token)).data).not.toHaveProperty('actor');
  });

  it('the audit log has both, the user sees it in the list of sessions, and gets a mail', async () => {
    const { staff, user, session } = await acting();
    const rows = await service.sql(
      `SELECT actor_user_id, acted_by_user_id, details FROM auth_audit_logs WHERE session_id = $1`,
      [session.sessionId],
    );
    expect(rows).toEqual([
      {
        actor_user_id: staff.id,
        acted_by_user_id: staff.id,
        details: { statedReason: REASON, actorSessionId: sessionOf(staff.token) },
      },
    ]);
    const { items } = await service.api('GET', '/auth/sessions', {
      token: (await mintTokens(service, user.id)).token,
    });
    expect(items.find(({ id }) => id === session.sessionId)).toMatchObject({
      origin: 'minted',
      actor: { userId: staff.id, name: 'Grace Hopper', reason: REASON },
    });
    const mail = await service.mailTo(user.email);
    expect(mail.subject).toContain('acting for you');
  });

  it('the mail names the time that was asked for', async () => {
    const { user } = await acting({ minutes: 7 });
    expect((await service.mailTo(user.email)).text).toContain('7 minutes');
  });

  it('without minutes the session ends after MINT_MAX_LIFETIME, and a refresh moves nothing', async () => {
    const own = await serviceForThisTest({ env: { ...ON, MINT_MAX_LIFETIME: '2m' } });
    const [staff, user] = [await staffMember(own, { role: ADMIN }), await own.createUser()];
    const { data } = await actingCode(own, staff.token, user.id);
    const opened = await exchangeActing(own, data.code);
    expect(opened.data.expiresIn).toBeLessThanOrEqual(120);
    const renewed = await refresh(own, opened.data.refreshToken);
    expect(renewed.data.expiresIn).toBeLessThanOrEqual(120);
    const [row] = await own.sql(
      "SELECT expires_at <= created_at + interval '2 minutes 1 second' AS bound FROM sessions WHERE user_id = $1",
      [user.id],
    );
    expect(row).toEqual({ bound: true });
  });

  it('a code that is made up is refused, and 60 of one address in a minute are the limit', async () => {
    const from = { 'x-forwarded-for': '198.51.100.77' };
    const attempt = () =>
      service.api('POST', '/auth/acting/exchange', {
        body: { code: `lka_${randomUUID()}` },
        headers: from,
      });
    const statuses = [];
    for (let n = 0; n < 62; n += 1) statuses.push((await attempt()).status);
    expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });

  it('a hand-off code of a user opens no acting session, and is spent', async () => {
    const companyId = randomUUID();
    const user = await service.createUser();
    await insertMembership(service.sql, { userId: user.id, companyId });
    const { token } = await mintTokens(service, user.id);
    const made = await service.api('POST', '/auth/handoff/create', {
      token,
      headers: { 'x-org': companyId },
    });
    expect(await exchangeActing(service, made.data.code)).toMatchObject(INVALID);
    const exchanged = await service.api('POST', '/auth/handoff/exchange', { body: { code: made.data.code } });
    expect(exchanged.status).toBe(401);
  });

  const SINCE_THEN: Record<string, (staff: SignedInTestUser, user: TestUser) => Promise<{ status: number }>> =
    {
      'the member of staff signed out': ({ refreshToken }) =>
        service.api('POST', '/auth/logout', { body: { refreshToken } }),
      'the session of the member of staff was revoked': ({ token }) =>
        service.machine('POST', `/internal/sessions/${sessionOf(token)}/revoke`),
      'the member of staff was deactivated': ({ id }) => patch(id, { isActive: false }),
      'the member of staff lost the role': ({ id }) => patch(id, { globalRole: 'NONE' }),
      'the member of staff became a moderator': ({ id }) => patch(id, { globalRole: MODERATOR }),
      'the user got a role of the same rank': (_staff, { id }) => patch(id, { globalRole: ADMIN }),
      'the user was deactivated': (_staff, { id }) => patch(id, { isActive: false }),
    };

  it.each(Object.keys(SINCE_THEN))('the code opens no session once %s', async (cause) => {
    const [staff, user] = [await admin(), await service.createUser()];
    const code = await codeOf(staff, user);
    expect((await SINCE_THEN[cause]!(staff, user)).status).toBe(200);
    expect([401, 403]).toContain((await exchangeActing(service, code)).status);
    expect(await sessionsOf(user)).toEqual([]);
  });

  it.each(Object.keys(SINCE_THEN))('the session ends once %s', async (cause) => {
    const { staff, user, session } = await acting();
    expect((await SINCE_THEN[cause]!(staff, user)).status).toBe(200);
    expect((await me(session.token)).status).toBe(401);
    expect([401, 403]).toContain((await refresh(service, session.refreshToken)).status);
  });

  it('a role that is lost while the code is exchanged opens no session', async () => {
    const [staff, user] = [await admin(), await service.createUser()];
    const code = await codeOf(staff, user);
    const change = `UPDATE users SET global_role = 'PLATFORM_MODERATOR' WHERE id = $1`;
    const answer = await overtaken(service, { userId: staff.id, change }, () =>
      exchangeActing(service, code),
    );
    expect(answer.status).toBe(403);
    expect(await sessionsOf(user)).toEqual([]);
  });
});

describe('the code for an app', () => {
  async function member() {
    const companyId = randomUUID();
    const user = await service.createUser();
    await insertMembership(service.sql, { userId: user.id, companyId });
    return { user, companyId };
  }
  const handOff = (code: string) => service.api('POST', '/auth/handoff/exchange', { body: { code } });

  it('an app exchanges it as any hand-off code, for a session that names the actor', async () => {
    const [staff, { user, companyId }] = [await admin(), await member()];
    const answer = await handOff(await codeOf(staff, user, { companyId }));
    expect(answer).toMatchObject({ status: 200, data: { organizationId: companyId } });
    expect((await me(answer.data.accessToken)).data).toMatchObject({
      id: user.id,
      actor: { userId: staff.id, reason: REASON },
    });
  });

  it('each code has one use: that of an app is not for the pages, and the other way round', async () => {
    const [staff, { user, companyId }] = [await admin(), await member()];
    expect(await exchangeActing(service, await codeOf(staff, user, { companyId }))).toMatchObject(INVALID);
    expect((await handOff(await codeOf(staff, user))).status).toBe(401);
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('it is for a company of the user, at both ends', async () => {
    const [staff, { user, companyId }] = [await admin(), await member()];
    expect((await actingCode(service, staff.token, user.id, { companyId: randomUUID() })).status).toBe(403);
    const code = await codeOf(staff, user, { companyId });
    await service.sql('UPDATE company_memberships SET is_active = false WHERE user_id = $1', [user.id]);
    expect((await handOff(code)).status).toBe(401);
    expect(await sessionsOf(user)).toEqual([]);
  });
});

describe('in cookie mode', () => {
  let cookies: TestService;
  beforeAll(async () => {
    cookies = await startTestService({ env: { ...ON, AUTH_WEB_COOKIE_MODE: 'true' } });
  });
  afterAll(() => cookies.stop());

  /** The browser of a member of staff, with the cookies of the own session, and a code. */
  async function browserWithCode() {
    const staff = await cookies.createUser({ role: ADMIN });
    const browser = await CookieBrowser.of(cookies, staff);
    const user = await cookies.createUser();
    const path = `/internal/users/${user.id}/acting-codes`;
    const { data } = await browser.api('POST', path, { body: { reason: REASON } });
    return { staff, user, browser, code: String(data.code) };
  }

  it('the exchange returns the tokens and sets no cookie, even for a client in cookie mode', async () => {
    const { staff, browser, code } = await browserWithCode();
    const answer = await browser.api('POST', '/auth/acting/exchange', { body: { code } });
    expect(answer.status, answer.text).toBe(200);
    expect(cookiesSetBy(answer)).toEqual({});
    expect(answer.data).toHaveProperty('refreshToken');
    expect((await browser.api('GET', '/auth/me')).data.id).toBe(staff.id);
  });

  it('with both credentials the token counts and the cookies of the member of staff do not', async () => {
    const { staff, user, browser, code } = await browserWithCode();
    const { data } = await browser.api('POST', '/auth/acting/exchange', { body: { code } });
    const token = data.accessToken;
    for (const headers of [{}, { 'x-auth-mode': undefined }]) {
      const answer = await browser.api('GET', '/auth/me', { token, headers });
      expect(answer.data).toMatchObject({ id: user.id, actor: { userId: staff.id } });
      // What is refused while acting is not done with the cookies instead.
      const refused = await browser.api('POST', '/auth/logout-all', { token, headers });
      expect(refused.status).toBe(403);
    }
    // A token that is no longer valid falls back to no cookie.
    const invalid = await browser.api('GET', '/auth/me', { token: 'x.y.z' });
    expect(invalid.status).toBe(401);
    expect((await browser.api('GET', '/auth/me')).data.id).toBe(staff.id);
  });

  it('the sign-out of the acting tab ends its session and leaves the cookies', async () => {
    const { staff, user, browser, code } = await browserWithCode();
    const { data } = await browser.api('POST', '/auth/acting/exchange', { body: { code } });
    const answer = await browser.api('POST', '/auth/logout', {
      body: { refreshToken: data.refreshToken },
      headers: { 'x-auth-mode': undefined },
    });
    expect(answer.status).toBe(200);
    expect(cookiesSetBy(answer)).toEqual({});
    const rows = await cookies.sql('SELECT is_revoked FROM sessions WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([{ is_revoked: true }]);
    expect((await browser.api('GET', '/auth/me')).data.id).toBe(staff.id);
  });

  it('no code is for an app, whose cookies would replace those of the member of staff', async () => {
    const staff = await staffMember(cookies, { role: ADMIN });
    const user = await cookies.createUser();
    const companyId = randomUUID();
    await insertMembership(cookies.sql, { userId: user.id, companyId });
    expect(await actingCode(cookies, staff.token, user.id, { companyId })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/companyId', reason: 'not_allowed' }] },
    });
  });
});

describe('a code that is exchanged while something ends', () => {
  it.each([
    ['the member of staff is deactivated', (staff: SignedInTestUser) => patch(staff.id, { isActive: false })],
    [
      'the member of staff loses the role',
      (staff: SignedInTestUser) => patch(staff.id, { globalRole: 'NONE' }),
    ],
    [
      'the member of staff signs out',
      ({ refreshToken }: SignedInTestUser) => service.api('POST', '/auth/logout', { body: { refreshToken } }),
    ],
    [
      'the user is deactivated',
      (_staff: SignedInTestUser, user: TestUser) => patch(user.id, { isActive: false }),
    ],
  ])('no active session is left when %s at the same moment', async (_what, change) => {
    for (let round = 0; round < 6; round += 1) {
      const [staff, user] = [await admin(), await service.createUser()];
      const code = await codeOf(staff, user);
      const works = [() => exchangeActing(service, code), () => change(staff, user)];
      if (round % 2 === 1) works.reverse();
      const answers = await Promise.all(works.map((work) => work()));
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      const active = 'SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked';
      expect(await service.sql(active, [user.id])).toEqual([]);
    }
  });

  it('of many exchanges of one code one creates a session', async () => {
    const [staff, user] = [await admin(), await service.createUser()];
    const code = await codeOf(staff, user);
    const answers = await Promise.all(Array.from({ length: 12 }, () => exchangeActing(service, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(user)).toHaveLength(1);
  });
});
