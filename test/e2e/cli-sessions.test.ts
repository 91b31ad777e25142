import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actingPair, REASON } from '../support/acting.js';
import { signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService();
  testClient = new OperatorClient(service);
});

afterAll(() => service.stop());

interface Session {
  id: string;
}

async function sessionOf(userId: string): Promise<Session> {
  const [session] = await testClient.json<Session[]>(['sessions', 'list', '--user', userId]);
  if (!session) throw new Error(`user ${userId} has no session`);
  return session;
}

/** A session straight from the database, with the id that is wanted. */
async function insertSession(id: string, ended = false): Promise<void> {
  const { id: userId } = await service.createUser();
  await service.sql(
    `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at, is_revoked,
       revoked_at, revoke_reason)
     VALUES ($1::uuid, $2, sha256($1::uuid::text::bytea), sha256('x'), 'password', '{pwd}', now() + interval '1 hour', $3,
       CASE WHEN $3 THEN now() END, CASE WHEN $3 THEN 'logout' END)`,
    [id, userId, ended],
  );
}

const numberedId = (prefix: string, number: number): string =>
  `${prefix}-0000-7000-8000-00000000000${number}`;

describe('latchkey sessions show', () => {
  it('show equals the reply of the list route, and adds how the session began', async () => {
    const user = await service.createUser();
    const login = await service.api('POST', '/auth/login', {
      body: { email: user.email, password: user.password },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Test', 'x-device-name': "Ada's testClient" },
    });
    expect(login.status).toBe(200);
    const [listed] = (await service.machine('GET', `/internal/admin/users/${user.id}/sessions`)).items;
    const { id } = await sessionOf(user.id);
    const view = await testClient.json<Record<string, unknown>>(['sessions', 'show', id]);
    expect(view).toMatchObject({
      ...listed,
      origin: 'password',
      amr: ['pwd'],
      state: 'active',
      revokedAt: null,
    });
    const details = await testClient.details(['sessions', 'show', id.toUpperCase()]);
    expect(details).toMatchObject({
      id,
      device: "Ada's testClient",
      state: 'active',
      'signed in': view.authTime,
    });
    expect(details).not.toHaveProperty('revoked');
  });

  it('show and list name who acts in a session, and why', async () => {
    const { user, staff, acting } = await actingPair(service);
    const actor = { userId: staff.id, name: 'Grace Hopper', reason: REASON };
    expect(await testClient.details(['sessions', 'show', acting.sessionId])).toMatchObject({
      'acted by': `Grace Hopper ${staff.id}`,
      because: REASON,
    });
    expect(await testClient.json(['sessions', 'list', '--user', user.id])).toMatchObject([{ actor }]);
  });

  it('show has the reason of an ended session', async () => {
    const user = await signedInUser(service);
    const { id } = await sessionOf(user.id);
    await service.api('POST', '/auth/logout', { body: { refreshToken: user.refreshToken } });
    expect(await testClient.details(['sessions', 'show', id])).toMatchObject({
      state: 'revoked',
      'began by': 'minted',
      reason: 'logout',
    });
    const other = await sessionOf((await signedInUser(service)).id);
    await service.sql(`UPDATE sessions SET expires_at = now() - interval '1 s' WHERE id = $1`, [other.id]);
    expect(await testClient.json(['sessions', 'show', other.id])).toMatchObject({ state: 'expired' });
  });
});

describe('naming a session by a prefix of its id', () => {
  it('an active session takes precedence over an ended one with the same prefix', async () => {
    await insertSession(numberedId('0000aaaa', 1), true);
    await insertSession(numberedId('0000aaaa', 2));
    expect(await testClient.json(['sessions', 'revoke', '0000aaaa', '--yes'])).toEqual({ status: 'ok' });
    const rows = await service.sql(`SELECT is_revoked FROM sessions WHERE id = $1`, [
      numberedId('0000aaaa', 2),
    ]);
    expect(rows).toEqual([{ is_revoked: true }]);
  });

  it('a prefix of several active sessions ends none of them', async () => {
    await insertSession(numberedId('0000bbbb', 1));
    await insertSession(numberedId('0000bbbb', 2));
    const { code, stderr } = await testClient.run(['sessions', 'revoke', '0000bbbb-0000', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('error: 2 sessions begin with "0000bbbb-0000":');
    expect(stderr).toContain(numberedId('0000bbbb', 1));
    const live = `SELECT id FROM sessions WHERE id::text LIKE '0000bbbb%' AND NOT is_revoked`;
    expect(await service.sql(live)).toHaveLength(2);
  });

  it('three characters and an unknown prefix find no session', async () => {
    expect(await testClient.run(['sessions', 'show', '000'])).toMatchObject({ code: 2, stdout: '' });
    expect(await testClient.run(['sessions', 'show', '%%%%'])).toMatchObject({ code: 3, stdout: '' });
  });

  it('ending an ended session needs no confirmation', async () => {
    await insertSession(numberedId('0000cccc', 1), true);
    const { code, stdout } = await testClient.run(['sessions', 'revoke', '0000cccc']);
    expect(code).toBe(0);
    expect(stdout).toContain('had already ended');
  });
});

describe('latchkey sessions stats and list', () => {
  it('stats equals the counts of the machine route', async () => {
    await signedInUser(service);
    const { data } = await service.machine('GET', '/internal/admin/session-stats');
    const stats = await testClient.json<{ activeSessions: number; connectedUsers: number }>([
      'sessions',
      'stats',
    ]);
    expect(stats).toEqual(data);
    expect((await testClient.run(['sessions', 'stats'])).stdout).toBe(
      `active sessions\t${stats.activeSessions}\nconnected users\t${stats.connectedUsers}\n`,
    );
  });

  it('list --company has the sessions of the active members', async () => {
    const company = new TestCompany(service);
    const member = await company.member();
    await company.member({ active: false });
    const sessions = await testClient.json<{ userId: string }[]>([
      'sessions',
      'list',
      '--company',
      company.id,
    ]);
    expect(sessions.map(({ userId }) => userId)).toEqual([member.id]);
    const { code, stderr } = await testClient.run(['sessions', 'list', '--company', 'acme']);
    expect(code).toBe(2);
    expect(stderr).toContain('"acme" is not a company id. Give its UUID.');
  });
});
