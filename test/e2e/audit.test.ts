import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hash } from 'argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiOptions } from '../support/api-client.js';
import { mintTokens, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';

const USER_AGENT = `audit "quoted" 'agent'`;

let service: TestService;
let superadmin: SignedInTestUser;

beforeAll(async () => {
  service = await startTestService();
  superadmin = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
});

afterAll(() => service.stop());

/** A request that can be found again in the audit log. */
class TracedRequest {
  readonly id = `trace-${randomUUID()}`;

  send(method: string, path: string, options: ApiOptions = {}): Promise<Answer> {
    const headers = { 'x-request-id': this.id, 'user-agent': USER_AGENT, ...options.headers };
    return service.api(method, path, { ...options, headers });
  }

  rows(): Promise<Record<string, unknown>[]> {
    return service.sql(
      `SELECT event, outcome, actor, actor_user_id, subject_user_id, session_id, ip_address, user_agent, details
       FROM auth_audit_logs WHERE request_id = $1 ORDER BY id`,
      [this.id],
    );
  }
}

interface ExpectedRow {
  actor: string;
  actorId?: string | null;
  subject?: string | null;
  session?: unknown;
  outcome?: string;
  details?: object;
}

/** Runs one request and expects exactly one row of the event, with everything that is known. */
async function expectRow(
  event: string,
  run: (request: TracedRequest) => Promise<ExpectedRow>,
): Promise<Record<string, unknown>[]> {
  const request = new TracedRequest();
  const expected = await run(request);
  const rows = await request.rows();
  expect(rows.filter((row) => row.event === event)).toEqual([
    {
      event,
      outcome: expected.outcome ?? 'success',
      actor: expected.actor,
      actor_user_id: expected.actorId ?? null,
      subject_user_id: expected.subject ?? null,
      session_id: expected.session ?? null,
      ip_address: '127.0.0.1',
      user_agent: USER_AGENT,
      details: expected.details ?? {},
    },
  ]);
  return rows;
}

const ANY_ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const bySelf = ({ id }: { id: string }) => ({ actor: 'user', actorId: id, subject: id });
const byStaff = (subject: string) => ({ actor: 'user', actorId: superadmin.id, subject });
const byMachine = (subject: string) => ({ actor: 'machine:internal-key', subject });
const withKey = { headers: { 'x-internal-api-key': INTERNAL_KEY } };
const sessionIdOf = async (token: string) => (await service.api('GET', '/auth/me', { token })).data.sessionId;

describe('signing in and out', () => {
  it('a login is audited', async () => {
    const user = await service.createUser();
    const rows = await expectRow('login', async (request) => {
      await request.send('POST', '/auth/login', { body: { email: user.email, password: user.password } });
      return { ...bySelf(user), session: ANY_ID, details: { method: 'password' } };
    });
    expect(rows).toHaveLength(1);
  });

  it('a failed login is audited, of a known and an unknown email', async () => {
    const user = await service.createUser();
    for (const [email, subject] of [
      [user.email, user.id],
      ['no-user@example.com', null],
    ] as const) {
      await expectRow('login', async (request) => {
        await request.send('POST', '/auth/login', { body: { email, password: 'a wrong password' } });
        return { actor: 'anonymous', subject, outcome: 'failure', details: { method: 'password' } };
      });
    }
  });

  it('a login denied by the state of the account is audited', async () => {
    const user = await service.createUser({ active: false });
    await expectRow('login', async (request) => {
      await request.send('POST', '/auth/login', { body: { email: user.email, password: user.password } });
      const details = { reason: 'account_inactive' };
      return { actor: 'anonymous', subject: user.id, outcome: 'denied', details };
    });
  });

  it('the update of a password hash at a login is audited', async () => {
    const user = await service.createUser();
    const otherParameters = await hash(user.password, { memoryCost: 19_456, timeCost: 3, parallelism: 1 });
    await service.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, otherParameters]);
    const rows = await expectRow('password_rehashed', async (request) => {
      await request.send('POST', '/auth/login', { body: { email: user.email, password: user.password } });
      return bySelf(user);
    });
    expect(rows.map(({ event }) => event)).toEqual(['password_rehashed', 'login']);
  });

  it('a registration is audited', async () => {
    await expectRow('registration', async (request) => {
      const email = 'registering@example.com';
      const body = { email, password: 'a fine long password', fullName: 'Ada' };
      await request.send('POST', '/auth/register', { body });
      const [user] = await service.sql('SELECT id FROM users WHERE email = $1', [email]);
      return { ...bySelf({ id: String(user?.id) }), details: { approvalStatus: 'PENDING' } };
    });
  });

  it('a logout is audited once', async () => {
    const user = await signedInUser(service);
    const session = await sessionIdOf(user.token);
    const logout = async (request: TracedRequest) => {
      await request.send('POST', '/auth/logout', { body: { refreshToken: user.refreshToken } });
      return { ...bySelf(user), session, details: { reason: 'logout', revoked: 1 } };
    };
    await expectRow('logout', logout);
    const second = new TracedRequest();
    await logout(second);
    expect(await second.rows()).toEqual([]);
  });

  it.each([
    ['logout_all', '/auth/logout-all', 2],
    ['logout_others', '/auth/logout-others', 1],
  ])('%s is audited', async (event, path, revoked) => {
    const user = await signedInUser(service);
    await mintTokens(service, user.id);
    await expectRow(event, async (request) => {
      await request.send('POST', path, { token: user.token });
      return { ...bySelf(user), details: { reason: event, revoked } };
    });
  });

  it('the reuse of a refresh token is audited', async () => {
    const user = await signedInUser(service);
    const session = await sessionIdOf(user.token);
    await service.api('POST', '/auth/refresh', { body: { refreshToken: user.refreshToken } });
    await sleep(150);
    await expectRow('refresh_reuse', async (request) => {
      await request.send('POST', '/auth/refresh', { body: { refreshToken: user.refreshToken } });
      const details = { presentedGeneration: 0, currentGeneration: 1, reason: 'refresh_reuse', revoked: 1 };
      return { actor: 'anonymous', subject: user.id, session, outcome: 'denied', details };
    });
  });
});

describe('actions of users on their own account', () => {
  it('a new password is audited', async () => {
    const user = await signedInUser(service);
    await mintTokens(service, user.id);
    await expectRow('password_changed', async (request) => {
      const body = { currentPassword: user.password, newPassword: 'another fine long password' };
      expect((await request.send('POST', '/auth/password/change', { token: user.token, body })).status).toBe(
        200,
      );
      return { ...bySelf(user), details: { reason: 'password_changed', revoked: 1, removedPasskeys: 0 } };
    });
  });

  it('a change of the own profile is audited by the names of its fields only', async () => {
    const user = await signedInUser(service);
    await expectRow('profile_updated', async (request) => {
      const body = { fullName: 'Grace', phoneNumber: '123456' };
      await request.send('PATCH', '/auth/me', { token: user.token, body });
      return { ...bySelf(user), details: { fields: ['fullName', 'phoneNumber'] } };
    });
  });
});

describe('actions of staff and machines on users', () => {
  it('the creation of a user is audited', async () => {
    const details = { globalRole: 'NONE', approvalStatus: 'APPROVED' };
    await expectRow('user_created', async (request) => {
      const body = { email: 'by-staff@example.com' };
      const { data } = await request.send('POST', '/internal/users', { token: superadmin.token, body });
      return { ...byStaff(data.id), details };
    });
    await expectRow('user_created', async (request) => {
      const body = { email: 'by-machine@example.com' };
      const { data } = await request.send('POST', '/internal/admin/users', { ...withKey, body });
      return { ...byMachine(data.id), details };
    });
  });

  it.each([
    { event: 'user_updated', body: { fullName: 'Grace', phonePrefix: '' }, recorded: {} },
    {
      event: 'user_approved',
      before: { approval: 'PENDING' },
      body: { approvalStatus: 'APPROVED', isActive: true },
    },
    { event: 'user_rejected', before: { approval: 'PENDING' }, body: { approvalStatus: 'REJECTED' } },
    {
      event: 'user_role_changed',
      body: { globalRole: 'PLATFORM_ADMIN' },
      recorded: { globalRole: 'PLATFORM_ADMIN', formerRole: 'NONE' },
    },
    { event: 'user_deactivated', body: { isActive: false } },
    { event: 'user_reactivated', before: { active: false }, body: { isActive: true } },
  ] as const)('a change of a user is audited as $event', async ({ event, body, ...row }) => {
    const { before = {}, recorded = body } = { before: undefined, recorded: undefined, ...row };
    const fields: unknown = expect.arrayContaining(Object.keys(body));
    for (const machine of [false, true]) {
      const user = await service.createUser(before);
      await expectRow(event, async (request) => {
        const path = `/internal/${machine ? 'admin/users' : 'users'}/${user.id}`;
        const proof = machine ? withKey : { token: superadmin.token };
        expect((await request.send('PATCH', path, { ...proof, body })).status).toBe(200);
        return { ...(machine ? byMachine(user.id) : byStaff(user.id)), details: { fields, ...recorded } };
      });
    }
  });

  it('the reason of a change is kept in its row and is no change of its own', async () => {
    const user = await service.createUser();
    for (const machine of [false, true]) {
      const path = `/internal/${machine ? 'admin/users' : 'users'}/${user.id}`;
      const proof = machine ? withKey : { token: superadmin.token };
      await expectRow(machine ? 'user_reactivated' : 'user_deactivated', async (request) => {
        const body = { isActive: machine, reason: '  ticket 4711 ' };
        const answer = await request.send('PATCH', path, { ...proof, body });
        expect(answer.status).toBe(200);
        expect(answer.body).not.toHaveProperty('reason');
        const details = { fields: ['isActive'], isActive: machine, statedReason: 'ticket 4711' };
        return { ...(machine ? byMachine(user.id) : byStaff(user.id)), details };
      });
      for (const body of [{ reason: 'alone' }, { isActive: true, reason: ' ' }]) {
        const refused = await service.api('PATCH', path, { ...proof, body });
        expect(refused.status).toBe(400);
      }
    }
  });

  it('the sessions that end with a deactivation are audited beside it', async () => {
    const user = await signedInUser(service);
    const rows = await expectRow('sessions_revoked', async (request) => {
      await request.send('DELETE', `/internal/users/${user.id}`, { token: superadmin.token });
      return { ...byStaff(user.id), details: { reason: 'deactivated', revoked: 1 } };
    });
    expect(rows.map(({ event }) => event)).toEqual(['user_deactivated', 'sessions_revoked']);
  });
});

describe('actions of staff and machines on sessions', () => {
  it('the revocation of a session is audited once', async () => {
    const user = await signedInUser(service);
    const session = await sessionIdOf(user.token);
    const revoke = async (request: TracedRequest) => {
      await request.send('POST', `/internal/sessions/${String(session)}/revoke`, { token: superadmin.token });
      return { ...byStaff(user.id), session, details: { reason: 'revoked', revoked: 1 } };
    };
    await expectRow('session_revoked', revoke);
    const second = new TracedRequest();
    await revoke(second);
    expect(await second.rows()).toEqual([]);
  });

  it('the revocation of an own session is audited', async () => {
    const user = await signedInUser(service);
    const session = await sessionIdOf((await mintTokens(service, user.id)).token);
    await expectRow('session_revoked', async (request) => {
      await request.send('DELETE', `/auth/sessions/${String(session)}`, { token: user.token });
      return { ...bySelf(user), session, details: { reason: 'revoked', revoked: 1 } };
    });
  });

  it('the revocation of all sessions of a user is audited', async () => {
    const user = await signedInUser(service);
    await expectRow('sessions_revoked', async (request) => {
      await request.send('POST', `/internal/admin/users/${user.id}/revoke-all`, withKey);
      return { ...byMachine(user.id), details: { reason: 'revoke_all', revoked: 1 } };
    });
  });

  it('a session that a machine opens for a user is audited', async () => {
    const user = await service.createUser();
    await expectRow('session_minted', async (request) => {
      await request.send('POST', `/internal/admin/users/${user.id}/sessions`, withKey);
      return { ...byMachine(user.id), session: ANY_ID };
    });
  });
});

describe('denied requests', () => {
  it('the denial of a user without a role at a staff route is audited', async () => {
    const user = await signedInUser(service);
    await expectRow('access_denied', async (request) => {
      await request.send('GET', `/internal/users/${superadmin.id}`, { token: user.token });
      const details = { method: 'GET', path: '/internal/users/{id}' };
      return { actor: 'user', actorId: user.id, outcome: 'denied', details };
    });
  });

  it('the denial of staff whose role is too low is audited', async () => {
    const moderator = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
    await expectRow('access_denied', async (request) => {
      const body = { fullName: 'Grace' };
      await request.send('PATCH', `/internal/users/${superadmin.id}`, { token: moderator.token, body });
      const details = { method: 'PATCH', path: '/internal/users/{id}' };
      return { actor: 'user', actorId: moderator.id, outcome: 'denied', details };
    });
  });

  it('a wrong internal key is audited without the key itself', async () => {
    const rows = await expectRow('internal_key_rejected', async (request) => {
      const headers = { 'x-internal-api-key': 'wrong-key-canary-5f2a' };
      await request.send('GET', '/internal/admin/session-stats', { headers });
      return { actor: 'anonymous', outcome: 'denied' };
    });
    expect(rows).toHaveLength(1);
  });

  it.each(['/internal/admin/session-stats', '/auth/me'])(
    'a request without credentials at %s leaves no row',
    async (path) => {
      const request = new TracedRequest();
      await request.send('GET', path);
      expect(await request.rows()).toEqual([]);
    },
  );
});

it('a change whose audit row cannot be written is not made', async () => {
  const user = await signedInUser(service);
  await service.sql(`CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused by refuse_all'; END $$`);
  await service.sql(`CREATE TRIGGER refuse_all BEFORE INSERT ON auth_audit_logs
    FOR EACH ROW EXECUTE FUNCTION refuse_all()`);
  const { email, password, token, refreshToken } = user;
  const failures = [
    await service.client.send('DELETE', `/internal/admin/users/${user.id}`, withKey),
    await service.client.send('PATCH', '/auth/me', { token, body: { fullName: 'Grace' } }),
    await service.client.send('POST', '/auth/logout', { body: { refreshToken } }),
    await service.client.send('POST', '/auth/login', { body: { email, password } }),
  ];
  await service.sql('DROP TRIGGER refuse_all ON auth_audit_logs');
  expect(failures.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
  for (const { text } of failures) expect(text).not.toMatch(/refuse|auth_audit_logs|trigger/i);
  const rows = await service.sql(
    `SELECT u.full_name, u.is_active, count(*)::int AS sessions FROM users u JOIN sessions s ON s.user_id = u.id
     WHERE u.id = $1 AND NOT s.is_revoked GROUP BY u.id`,
    [user.id],
  );
  expect(rows).toEqual([{ full_name: user.fullName, is_active: true, sessions: 1 }]);
});

it('neither log nor audit log holds a secret that was sent, in any part of a request', async () => {
  const canary = 'canary-7c61b0d9-secret';
  const { token } = await signedInUser(service);
  await service.api('GET', `/auth/me?access_token=${canary}`);
  await service.api('GET', '/auth/me', { token: canary });
  await service.api('GET', '/auth/me', { token, headers: { cookie: `session=${canary}` } });
  await service.machine('GET', `/internal/admin/users?search=${canary}`);
  await service.api('POST', '/auth/login', { raw: `{"password":"${canary}"` });
  await service.api('POST', '/auth/login', { body: { email: canary, password: [canary] } });
  await service.api('POST', '/auth/login', { body: { email: 'x@example.com', password: canary } });
  await service.api('POST', '/auth/refresh', { body: { refreshToken: canary } });
  await service.api('POST', '/auth/logout', { body: { refreshToken: canary } });
  await service.api('GET', '/internal/admin/users', { headers: { 'x-internal-api-key': canary } });
  const audit = JSON.stringify(await service.sql('SELECT * FROM auth_audit_logs'));
  expect(audit).not.toContain(canary);
  expect(audit).not.toContain('wrong-key-canary-5f2a');
  expect(service.log()).not.toContain(canary);
});
