import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { operate } from '../support/operations.js';
import { PastRows } from '../support/past-rows.js';
import { RedisSnapshot } from '../support/redis-snapshot.js';
import { describeWithRedis } from '../support/redis.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';

const MINUTE = 60;
const DAY = 86_400;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

const cleanUp = () => operate(service.auth, ({ maintenance }) => maintenance.run());
const sessionIdOf = async (userId: string): Promise<string> => {
  const [row] = await service.sql('SELECT id FROM sessions WHERE user_id = $1', [userId]);
  return String(row?.id);
};

/** Moves the end of the session and its expiry into the past. */
const endSession = (id: string, revoked: number, expired: number) =>
  service.sql(
    `UPDATE sessions SET is_revoked = true, revoke_reason = 'logout', created_at = now() - interval '300 days',
       revoked_at = now() - make_interval(secs => $2), expires_at = now() - make_interval(secs => $3) WHERE id = $1`,
    [id, revoked, expired],
  );

describe('a clean-up with default settings', () => {
  it('after a clean-up both tokens of a session that was revoked yesterday still answer session_revoked', async () => {
    const user = await signedInUser(service);
    await endSession(await sessionIdOf(user.id), DAY, 100 * DAY);
    await cleanUp();
    const refreshed = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: user.refreshToken },
    });
    expect([refreshed.status, refreshed.code]).toEqual([401, 'session_revoked']);
    expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('session_revoked');
  });

  it('after a clean-up the tokens of a removed session are unauthorized, and ending it once more is fine', async () => {
    const user = await signedInUser(service);
    await endSession(await sessionIdOf(user.id), 31 * DAY, 20 * DAY);
    await cleanUp();
    const body = { refreshToken: user.refreshToken };
    expect((await service.api('POST', '/auth/refresh', { body })).code).toBe('unauthorized');
    expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('unauthorized');
    expect((await service.api('POST', '/auth/logout', { body })).status).toBe(200);
  });

  it('after a clean-up the limit of reset mails still counts earlier mails', async () => {
    const testClient = new ResetClient(service);
    const { email, id } = await service.createUser();
    for (let mail = 0; mail < 3; mail++) await testClient.tokenFor(email);
    await service.sql(
      `UPDATE password_reset_tokens SET created_at = now() - interval '50 minutes',
         expires_at = now() - interval '20 minutes' WHERE user_id = $1`,
      [id],
    );
    await operate(service.auth, ({ maintenance }) => maintenance.run({ keep: { resets: 60 * MINUTE } }));
    await testClient.request(email);
    await testClient.allMailIsHandled();
    expect(service.mailsTo(email)).toHaveLength(3);
  });
});

describe('a clean-up beside active rows', () => {
  it('active rows answer as before, whatever a clean-up removes around them', async () => {
    const testClient = await InvitationClient.open(service);
    const user = await testClient.member({ role: 'MEMBER' });
    const invited = await testClient.invite();
    const resets = new ResetClient(service);
    const resetToken = await resets.tokenFor(user.email);
    await litter(new PastRows(service.sql, user.id));
    const before = await answers(testClient, user, invited);

    const { removed } = await cleanUp();
    expect(Object.values(removed)).toEqual([8, 4, 4, 0, 4, 0, 0, 0]);
    expect(await answers(testClient, user, invited)).toEqual(before);
    const body = { refreshToken: user.refreshToken };
    expect((await service.api('POST', '/auth/refresh', { body })).status).toBe(200);
    expect((await testClient.accept({ token: invited.token, password: 'a horse with a hat' })).status).toBe(
      200,
    );
    expect((await resets.confirm(resetToken)).status).toBe(200);
  });

  /** Old rows of every kind, of the same user. */
  async function litter(past: PastRows): Promise<void> {
    for (let days = 500; days < 900; days += 100) {
      const ago = days * DAY;
      await past.session({ expired: ago });
      await past.session({ revoked: ago, expired: ago - DAY });
      await past.reset({ created: ago, used: ago - MINUTE, expired: ago - MINUTE });
      await past.invitation({ status: 'ACCEPTED', closed: ago, expired: ago });
      await past.mail({ status: 'DEAD', created: ago });
    }
  }

  async function answers(
    testClient: InvitationClient,
    { id, token }: SignedInTestUser,
    invited: { id: string; token: string },
  ): Promise<unknown[]> {
    const { company } = testClient;
    const all = [
      await service.api('GET', '/auth/me', { token }),
      await service.api('GET', '/auth/sessions', { token }),
      await service.api('GET', '/auth/invitations', testClient.as()),
      await testClient.get(invited.id),
      await testClient.preview(invited.token),
      await service.machine('GET', `/internal/admin/users/${id}/context`),
      await service.machine('GET', `/internal/admin/users/${id}/sessions`),
      await service.machine('GET', '/internal/admin/sessions'),
      await service.machine('GET', '/internal/admin/session-stats'),
      await service.machine('GET', '/internal/admin/users'),
      await service.machine('GET', `/internal/admin/companies/${company}/memberships`),
      await service.machine('GET', `/internal/admin/audit-logs?subjectUserId=${id}`),
    ];
    return all.map(({ status, text }) => ({ status, body: JSON.parse(text) as unknown }));
  }
});

describeWithRedis('a hand-off code', () => {
  it('a spent hand-off code is not spent twice by a restored Redis after a clean-up', async () => {
    const own = await serviceForThisTest({ redis: true });
    const company = randomUUID();
    const user = await signedInUser(own);
    await insertMembership(own.sql, { userId: user.id, companyId: company });
    const created = await own.api('POST', '/auth/handoff/create', {
      token: user.token,
      headers: { 'x-org': company },
    });
    const snapshot = await RedisSnapshot.take(own, '*handoff:*');
    const exchange = () => own.api('POST', '/auth/handoff/exchange', { body: { code: created.data.code } });
    const first = await exchange();
    await own.api('POST', '/auth/logout', { body: { refreshToken: first.data.refreshToken } });
    await own.sql(
      `UPDATE sessions SET revoked_at = now() - interval '29 days', expires_at = now() - interval '29 days'
       WHERE grant_digest IS NOT NULL`,
    );
    await operate(own.auth, ({ maintenance }) => maintenance.run());
    await snapshot.restore();
    expect((await exchange()).code).toBe('unauthorized');
  });
});
