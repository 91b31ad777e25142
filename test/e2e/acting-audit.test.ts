import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { actingPair, mintActing, REASON, staffMember } from '../support/acting.js';
import { FIXTURE_ENV } from '../support/body-fixtures.js';
import { startGuardedHost } from '../support/guarded-host.js';
import { signedInUser } from '../support/minted-token.js';
import { RouteWalker } from '../support/route-walker.js';
import { startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { ...FIXTURE_ENV, TRUST_PROXY: '1' } });
  // Keeps others from being the last one.
  await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
});
afterAll(() => service.stop());

const BEARER_ROUTES = allRoutes.filter(({ caller, path }) =>
  caller.security === 'none' ? path === '/auth/invitations/accept' : caller.security.endsWith('bearer'),
);

/** Actions that the walk must at least have written. */
const WALKED = [
  'access_denied',
  'password_reset_requested',
  'profile_updated',
  'session_minted',
  'sessions_revoked',
  'user_updated',
];

const rowsIn = (userId: string, sessionId: string) =>
  service.sql(
    `SELECT event, outcome, actor_user_id, acted_by_user_id, acted_by_name, session_id FROM auth_audit_logs
     WHERE actor_user_id = $1 OR session_id = $2`,
    [userId, sessionId],
  );

describe('the audit log of a session in which an actor acts for its user', () => {
  it('every row that any route writes in the session names the user and who acts', async () => {
    const staff = await staffMember(service, { role: 'PLATFORM_SUPERADMIN' });
    const user = await service.createUser({ role: 'PLATFORM_ADMIN' });
    const walker = new RouteWalker(service);
    await walker.company.join(user.id, { role: 'TENANT_SUPERADMIN' });
    const acting = await mintActing(service, user.id, { actorUserId: staff.id });
    for (const route of BEARER_ROUTES) await walker.call(route, acting.token);
    const active = await service.api('GET', '/auth/me', { token: acting.token });
    expect(active.status, 'the walk did not end the session').toBe(200);
    await service.api('POST', '/auth/logout', { body: { refreshToken: acting.refreshToken } });

    const rows = await rowsIn(user.id, acting.sessionId);
    const unnamed = rows.filter((row) => row.acted_by_user_id !== staff.id || row.acted_by_name !== null);
    expect(unnamed).toEqual([]);
    expect(new Set(rows.map(({ event }) => event))).toEqual(
      new Set([...rows.map(({ event }) => event), ...WALKED, 'logout']),
    );
    const minted = rows.filter(({ event }) => event === 'session_minted');
    expect(minted).toHaveLength(1);
  });

  it('the rows of a guard and of free text name them, in lists, filters and events', async () => {
    const user = await signedInUser(service);
    const acting = await mintActing(service, user.id, { actor: 'Support, ticket 4711' });
    const events: (string | null)[] = [];
    const stop = service.auth.on('profile_updated', ({ actedByName }) => void events.push(actedByName));
    await service.api('PATCH', '/auth/me', { token: acting.token, body: { fullName: 'Ada King' } });
    await service.api('PATCH', '/auth/me', { token: user.token, body: { fullName: 'Ada Lovelace' } });
    await waitUntil(() => events[1] !== undefined || events.length === 2, { what: 'both events' });
    stop();
    expect(events).toEqual(['Support, ticket 4711', null]);
    const { items } = await service.machine(
      'GET',
      `/internal/admin/audit-logs?actorUserId=${user.id}&event=profile_updated`,
    );
    expect(items.map(({ actedByName, actedByUserId }) => [actedByName, actedByUserId])).toEqual([
      [null, null],
      ['Support, ticket 4711', null],
    ]);
  });

  it('the log is searched by the member of staff who acted', async () => {
    const { user, staff, acting } = await actingPair(service);
    await service.api('PATCH', '/auth/me', { token: acting.token, body: { fullName: 'Ada King' } });
    const { items } = await service.machine('GET', `/internal/admin/audit-logs?actedByUserId=${staff.id}`);
    expect(items.map(({ event, subjectUserId }) => [event, subjectUserId])).toEqual([
      ['profile_updated', user.id],
      ['session_minted', user.id],
    ]);
    expect(items[1]?.details).toMatchObject({ statedReason: REASON });
  });

  it('a denial by a guard of a host app names who acts, also with hints', async () => {
    const { user, staff, acting } = await actingPair(service);
    // The first request with a hint leaves it for the second.
    for (const check of ['database', 'hint', 'hint'] as const) {
      const host = await startGuardedHost(
        service.auth,
        (mount, { requireRole }) => mount('/staff', requireRole('PLATFORM_ADMIN')),
        { check },
      );
      const before = await rowsIn(user.id, acting.sessionId);
      const answer = await host.client.call('GET', '/staff', { token: acting.token });
      await host.stop();
      expect(answer.status).toBe(403);
      const rows = await rowsIn(user.id, acting.sessionId);
      expect(rows.length).toBe(before.length + 1);
      expect(rows.every((row) => row.acted_by_user_id === staff.id)).toBe(true);
    }
  });
});

describe('personal data and a session in which an actor acts', () => {
  it('the user exports who acted and why, and nothing of where the actor was', async () => {
    const { user, staff, acting } = await actingPair(service);
    await service.api('PATCH', '/auth/me', {
      token: acting.token,
      body: { fullName: 'Ada King' },
      headers: { 'x-forwarded-for': '198.51.100.7' },
    });
    const { accessToken: token } = await service.signIn(user);
    const { data } = await service.api('GET', '/auth/me/export', { token });
    expect(data.sessions).toContainEqual(
      expect.objectContaining({
        id: acting.sessionId,
        actor: { userId: staff.id, name: 'Grace Hopper', reason: REASON },
      }),
    );
    expect(data.auditEntries).toContainEqual(
      expect.objectContaining({ event: 'profile_updated', isActedFor: true, ipAddress: null }),
    );
    expect(JSON.stringify(data)).not.toContain('198.51.100.7');
  });

  it('the erasure of the actor removes where they acted from, and keeps that they did', async () => {
    const { user, staff, acting } = await actingPair(service);
    await service.api('PATCH', '/auth/me', {
      token: acting.token,
      body: { fullName: 'Ada King' },
      headers: { 'x-forwarded-for': '198.51.100.8' },
    });
    const erased = await service.machine('DELETE', `/internal/admin/users/${staff.id}/personal-data`, {
      body: { reason: 'left' },
    });
    expect(erased.status, erased.text).toBe(200);
    const [row] = await service.sql(
      `SELECT ip_address, acted_by_user_id FROM auth_audit_logs WHERE event = 'profile_updated' AND subject_user_id = $1`,
      [user.id],
    );
    expect(row).toEqual({ ip_address: null, acted_by_user_id: staff.id });
    const sessions = await service.sql('SELECT acting_reason, is_revoked FROM sessions WHERE id = $1', [
      acting.sessionId,
    ]);
    expect(sessions).toEqual([{ acting_reason: null, is_revoked: true }]);
  });

  it('the erasure of the user removes the reason, and a free text that names them', async () => {
    const user = await service.createUser({ fullName: 'Katherine Johnson' });
    const named = { actor: 'Brother of Katherine Johnson', reason: 'Katherine asked for it' };
    const acting = await mintActing(service, user.id, named);
    await service.api('PATCH', '/auth/me', { token: acting.token, body: { phoneNumber: '301234567' } });
    await service.machine('DELETE', `/internal/admin/users/${user.id}/personal-data`, {
      body: { reason: 'request 4711' },
    });
    const left = [
      ...(await service.sql('SELECT * FROM sessions WHERE user_id = $1', [user.id])),
      ...(await service.sql('SELECT * FROM auth_audit_logs WHERE subject_user_id = $1', [user.id])),
    ];
    expect(JSON.stringify(left)).not.toContain('Katherine');
    expect(left).toContainEqual(
      expect.objectContaining({ event: 'profile_updated', acted_by_name: '[erased]' }),
    );
  });
});
