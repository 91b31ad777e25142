import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actingPair, mintActing, sessionOf, staffMember, type ActingSession } from '../support/acting.js';
import { mintTokens, type SignedInTestUser } from '../support/minted-token.js';
import { refresh, rotated } from '../support/refresh.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  // Keeps others from being the last one.
  await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
});
afterAll(() => service.stop());

const patch = (id: string, body: object) => service.machine('PATCH', `/internal/admin/users/${id}`, { body });

type End = (staff: SignedInTestUser, user: TestUser) => Promise<{ status: number }>;

/** What ends every session in which a member of staff acts, whether or not one of theirs was named. */
const ENDS_ALL: Record<string, End> = {
  'the actor is deactivated': (staff) => patch(staff.id, { isActive: false }),
  'the approval of the actor is withdrawn': (staff) => patch(staff.id, { approvalStatus: 'PENDING' }),
  'the actor loses the role': (staff) => patch(staff.id, { globalRole: 'NONE' }),
  'the actor gets a lower role': async (staff) => {
    await service.sql(`UPDATE users SET global_role = 'PLATFORM_ADMIN' WHERE id = $1`, [staff.id]);
    return patch(staff.id, { globalRole: 'PLATFORM_MODERATOR' });
  },
  'the actor is erased': (staff) =>
    service.machine('DELETE', `/internal/admin/users/${staff.id}/personal-data`, {
      body: { reason: 'left' },
    }),
  'all sessions of the actor are revoked': (staff) =>
    service.machine('POST', `/internal/admin/users/${staff.id}/revoke-all`),
  'the actor signs out everywhere': (staff) =>
    service.api('POST', '/auth/logout-all', { token: staff.token }),
  'the actor resets the password': async ({ email }) => {
    const resets = new ResetClient(service);
    return resets.confirm(await resets.tokenFor(email));
  },
  'the role of the user changes': (_staff, user) => patch(user.id, { globalRole: 'PLATFORM_MODERATOR' }),
  'the user is deactivated': (_staff, user) => patch(user.id, { isActive: false }),
};

/** What ends a session only if it was opened with the session of the actor that ends. */
const ENDS_NAMED: Record<string, End> = {
  'the actor signs out': ({ refreshToken }) =>
    service.api('POST', '/auth/logout', { body: { refreshToken } }),
  'the session of the actor is revoked': ({ token }) =>
    service.machine('POST', `/internal/sessions/${sessionOf(token)}/revoke`),
  'the actor signs out everywhere else': async ({ id }) => {
    const { token } = await mintTokens(service, id);
    return service.api('POST', '/auth/logout-others', { token });
  },
  'a refresh token of the actor is used twice': async ({ refreshToken }) => {
    await rotated(service, refreshToken);
    const answer = await refresh(service, refreshToken);
    return { status: answer.code === 'session_revoked' ? 200 : answer.status };
  },
};

async function bothKinds() {
  const { user, staff, acting: named } = await actingPair(service, { inSession: true });
  const unnamed = await mintActing(service, user.id, { actorUserId: staff.id });
  return { user, staff, named, unnamed };
}

const stateOf = async ({ token }: ActingSession): Promise<number> =>
  (await service.api('GET', '/auth/me', { token })).status;

async function expectEnded(session: ActingSession): Promise<void> {
  const refused = await refresh(service, session.refreshToken);
  expect(refused).toMatchObject({ status: refused.code === 'account_inactive' ? 403 : 401 });
  expect(await service.api('GET', '/auth/me', { token: session.token })).toMatchObject({
    status: 401,
    code: 'session_revoked',
  });
  // The session and the entry of the feed have the same transaction.
  const rows = await service.sql(
    `SELECT s.xmin::text = r.transaction_id::xid::text AS together
     FROM sessions s JOIN revocations r ON r.session_id = s.id WHERE s.id = $1`,
    [session.sessionId],
  );
  expect(rows).toEqual([{ together: true }]);
}

describe('a session in which a member of staff acts for a user', () => {
  it.each(Object.keys(ENDS_ALL))('it ends when %s', async (cause) => {
    const { user, staff, named, unnamed } = await bothKinds();
    const answer = await ENDS_ALL[cause]?.(staff, user);
    expect(answer?.status).toBe(200);
    await expectEnded(named);
    await expectEnded(unnamed);
  });

  it.each(Object.keys(ENDS_NAMED))('it ends when %s, if it was opened with that session', async (cause) => {
    const { user, staff, named, unnamed } = await bothKinds();
    const own = await mintTokens(service, user.id);
    const answer = await ENDS_NAMED[cause]?.(staff, user);
    expect(answer?.status).toBe(200);
    await expectEnded(named);
    expect(await stateOf(unnamed)).toBe(200);
    expect((await service.api('GET', '/auth/me', { token: own.token })).status).toBe(200);
  });

  it('it stays active when another session of the actor ends, and when the actor gets another role', async () => {
    const { staff, named, unnamed } = await bothKinds();
    const other = await mintTokens(service, staff.id);
    await service.api('POST', '/auth/logout', { body: { refreshToken: other.refreshToken } });
    await patch(staff.id, { globalRole: 'PLATFORM_ADMIN' });
    expect([await stateOf(named), await stateOf(unnamed)]).toEqual([200, 200]);
  });

  it('it ends when its user becomes the first superadmin', async () => {
    const fresh = await serviceForThisTest();
    const { user, acting } = await actingPair(fresh);
    await fresh.auth.admin.bootstrap.promote({ kind: 'operator', name: 'tests' }, user.id);
    const answer = await fresh.api('GET', '/auth/me', { token: acting.token });
    expect(answer).toMatchObject({ status: 401, code: 'session_revoked' });
  });

  it('the sessions that the actor ends otherwise stay those of the user', async () => {
    const { user, staff, named } = await bothKinds();
    const own = await mintTokens(service, user.id);
    await patch(staff.id, { isActive: false });
    await expectEnded(named);
    expect((await service.api('GET', '/auth/me', { token: own.token })).status).toBe(200);
  });

  it('the log of the user has a row about the end, with its reason and the actor', async () => {
    const { user, staff, named } = await bothKinds();
    await service.api('POST', '/auth/logout', { body: { refreshToken: staff.refreshToken } });
    const rows = await service.sql(
      `SELECT event, subject_user_id, details FROM auth_audit_logs WHERE session_id = $1 AND event <> 'session_minted'`,
      [named.sessionId],
    );
    expect(rows).toEqual([
      {
        event: 'session_revoked',
        subject_user_id: user.id,
        details: { reason: 'logout', endedFor: staff.id },
      },
    ]);
  });
});

describe('a session that is opened while its actor changes', () => {
  it.each([
    ['is deactivated', (id: string) => patch(id, { isActive: false })],
    ['loses the role', (id: string) => patch(id, { globalRole: 'NONE' })],
    [
      'signs out everywhere',
      (_id: string, token: string) => service.api('POST', '/auth/logout-all', { token }),
    ],
  ])('none is left when the actor %s at the same moment', async (_what, change) => {
    for (let round = 0; round < 6; round += 1) {
      const [user, staff] = [await service.createUser(), await staffMember(service)];
      const body = { actorUserId: staff.id, actorSessionId: sessionOf(staff.token), reason: 'race' };
      const mint = () => service.machine('POST', `/internal/admin/users/${user.id}/sessions`, { body });
      const [minted, changed] = await Promise.all(
        round % 2 === 0
          ? [mint(), change(staff.id, staff.token)]
          : [change(staff.id, staff.token), mint()].toReversed(),
      );
      expect(changed?.status, changed?.text).toBe(200);
      expect([201, 403, 409]).toContain(minted?.status);
      const active = await service.sql('SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked', [
        user.id,
      ]);
      expect(active).toEqual([]);
    }
  });
});
