import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, AnswerData } from '../support/api-client.js';
import { mintTokens, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const MAC_CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

const me = (token: string): Promise<Answer> => service.api('GET', '/auth/me', { token });
const admin = (method: string, path: string): Promise<Answer> =>
  service.machine(method, `/internal/admin${path}`);
const listOf = async (userId: string): Promise<AnswerData[]> =>
  (await admin('GET', `/users/${userId}/sessions`)).items;

async function sessionIdOf(token: string): Promise<string> {
  return String((await me(token)).data.sessionId);
}

describe('the listing of sessions', () => {
  it('the listing of sessions shows of each session user, address, device and start', async () => {
    const { id, email, password } = await service.createUser({ role: 'PLATFORM_MODERATOR' });
    const headers = { 'user-agent': MAC_CHROME };
    await service.api('POST', '/auth/login', { body: { email, password }, headers });
    expect(await listOf(id)).toEqual([
      {
        id: UUID,
        userId: id,
        email,
        globalRole: 'PLATFORM_MODERATOR',
        approvalStatus: 'APPROVED',
        ipAddress: '127.0.0.1',
        userAgent: MAC_CHROME,
        deviceName: 'Chrome on macOS',
        origin: 'password',
        amr: ['pwd'],
        parentSessionId: null,
        createdAt: TIME,
        lastUsedAt: TIME,
        expiresAt: TIME,
      },
    ]);
  });

  it('the listing of sessions returns null for unknown values', async () => {
    const user = await signedInUser(service);
    expect(await listOf(user.id)).toMatchObject([{ userAgent: null, deviceName: null }]);
  });

  it('a session takes the name that a device gives itself', async () => {
    const user = await service.createUser();
    const headers = { 'x-device-name': Buffer.from('Ädas "iPad" 👩‍💻').toString('latin1') };
    await service.machine('POST', `/internal/admin/users/${user.id}/sessions`, { headers });
    expect(await listOf(user.id)).toMatchObject([{ deviceName: 'Ädas "iPad" 👩‍💻' }]);
  });

  it('a session cuts a long user agent and keeps its quotes', async () => {
    const user = await service.createUser();
    const headers = { 'user-agent': `"';<b>\\ ${'x'.repeat(7000)}` };
    await service.machine('POST', `/internal/admin/users/${user.id}/sessions`, { headers });
    const [session] = await listOf(user.id);
    expect(session?.userAgent).toBe(headers['user-agent'].slice(0, 256));
  });

  it('a refresh moves lastUsedAt and keeps the session', async () => {
    const user = await signedInUser(service);
    const [before] = await listOf(user.id);
    await service.api('POST', '/auth/refresh', { body: { refreshToken: user.refreshToken } });
    const [after] = await listOf(user.id);
    expect(after).toMatchObject({ id: before?.id, createdAt: before?.createdAt });
    expect(Date.parse(String(after?.lastUsedAt))).toBeGreaterThan(Date.parse(String(before?.lastUsedAt)));
  });

  it('the listing of sessions drops revoked and expired ones', async () => {
    const user = await signedInUser(service);
    const [second, third] = [await mintTokens(service, user.id), await mintTokens(service, user.id)];
    await service.api('POST', '/auth/logout', { body: { refreshToken: second.refreshToken } });
    await service.sql(`UPDATE sessions SET expires_at = now() WHERE id = $1`, [
      await sessionIdOf(third.token),
    ]);
    expect((await listOf(user.id)).map(({ id }) => id)).toEqual([await sessionIdOf(user.token)]);
  });

  it('the listing of sessions of a user is empty when there are none, and not found without the user', async () => {
    const user = await service.createUser();
    const answer = await admin('GET', `/users/${user.id}/sessions`);
    expect([answer.status, answer.body, answer.headers['x-total-count']]).toEqual([
      200,
      { success: true, data: [] },
      '0',
    ]);
    expect(await admin('GET', `/users/${randomUUID()}/sessions`)).toMatchObject({ status: 404 });
  });
});

describe('all sessions together', () => {
  let people: TestUser[];

  /** Three users with one, two and three sessions, and no other users. */
  beforeEach(async () => {
    await service.sql('DELETE FROM sessions');
    people = [await service.createUser(), await service.createUser(), await service.createUser()];
    for (const [index, { id }] of people.entries()) {
      for (let count = 0; count <= index; count++) await mintTokens(service, id);
    }
  });

  it('all sessions together are counted exactly', async () => {
    expect((await admin('GET', '/session-stats')).data).toEqual({ connectedUsers: 3, activeSessions: 6 });
    await service.sql(`UPDATE sessions SET expires_at = now() WHERE user_id = $1`, [people[0]?.id]);
    await admin('POST', `/users/${people[1]?.id ?? ''}/revoke-all`);
    expect((await admin('GET', '/session-stats')).data).toEqual({ connectedUsers: 1, activeSessions: 3 });
    await service.sql('DELETE FROM sessions');
    expect((await admin('GET', '/session-stats')).data).toEqual({ connectedUsers: 0, activeSessions: 0 });
  });

  it('all sessions together are listed newest first, in pages, with their total', async () => {
    const whole = await admin('GET', '/sessions');
    expect(whole.headers['x-total-count']).toBe('6');
    const times = whole.items.map(({ createdAt, id }) => `${String(createdAt)} ${id}`);
    expect(times).toEqual(times.toSorted().reverse());
    const pages = [await admin('GET', '/sessions?limit=4'), await admin('GET', '/sessions?limit=4&offset=4')];
    expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
    expect(pages.map(({ headers }) => headers['x-total-count'])).toEqual(['6', '6']);
  });

  it('all sessions together can be filtered by user, known or not', async () => {
    const byUser = async (userId: string) => (await admin('GET', `/sessions?userId=${userId}`)).items.length;
    expect(await byUser(people[2]?.id ?? '')).toBe(3);
    expect(await byUser((people[2]?.id ?? '').toUpperCase())).toBe(3);
    expect(await byUser(randomUUID())).toBe(0);
  });

  it.each(['limit=0', 'offset=-1', 'limit=x', 'userId=x', 'userId=', 'userId=a&userId=b'])(
    'all sessions together refuse %s',
    async (query) => {
      expect(await admin('GET', `/sessions?${query}`)).toMatchObject({
        status: 400,
        code: 'validation_error',
      });
    },
  );
});

/** The two routes that are in both tables, for people and for machines. */
const REVOCATIONS: [
  string,
  (id: string, options: object) => Promise<Answer>,
  (user: SignedInTestUser) => Promise<string>,
][] = [
  [
    'revoking one session',
    (id, options) => service.api('POST', `/internal/sessions/${id}/revoke`, options),
    ({ token }) => sessionIdOf(token),
  ],
  [
    'revoking all sessions of a user',
    (id, options) => service.api('POST', `/internal/users/${id}/revoke-all`, options),
    ({ id }) => Promise.resolve(id),
  ],
];

describe.each(REVOCATIONS)('%s', (_what, revoke, idFor) => {
  const key = (value: string) => ({ headers: { 'x-internal-api-key': value } });
  const staff = async (role: 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR' | 'NONE') => ({
    token: (await signedInUser(service, { role })).token,
  });

  it('a revocation is for higher staff and machines; others are refused and the session lives', async () => {
    const user = await signedInUser(service);
    const id = await idFor(user);
    for (const role of ['NONE', 'PLATFORM_MODERATOR'] as const) {
      expect(await revoke(id, await staff(role))).toMatchObject({ status: 403, code: 'forbidden' });
    }
    expect((await me(user.token)).status).toBe(200);
    for (const options of [
      await staff('PLATFORM_ADMIN'),
      await staff('PLATFORM_SUPERADMIN'),
      key(INTERNAL_KEY),
    ]) {
      const victim = await signedInUser(service);
      expect(await revoke(await idFor(victim), options)).toMatchObject({
        status: 200,
        data: { status: 'ok' },
      });
      expect(await me(victim.token)).toMatchObject({ status: 401, code: 'session_revoked' });
      const { refreshToken } = victim;
      const refresh = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
      expect(refresh).toMatchObject({ status: 401, code: 'session_revoked' });
    }
  });

  it('for a revocation the header of the internal key, when present, decides alone', async () => {
    const superadmin = await staff('PLATFORM_SUPERADMIN');
    const victim = await signedInUser(service);
    const id = await idFor(victim);
    for (const wrong of ['', 'wrong', `${INTERNAL_KEY} x`]) {
      expect(await revoke(id, { ...superadmin, ...key(wrong) })).toMatchObject({
        status: 403,
        code: 'forbidden',
      });
    }
    expect((await me(victim.token)).status).toBe(200);
    expect((await revoke(id, { token: 'nonsense', ...key(INTERNAL_KEY) })).status).toBe(200);
  });

  it('a revocation without any credential is unauthorized', async () => {
    const answer = await revoke(randomUUID(), {});
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('a revocation of an unknown id is not found, except for callers who must not learn that', async () => {
    const unknown = randomUUID();
    for (const options of [await staff('PLATFORM_SUPERADMIN'), key(INTERNAL_KEY)]) {
      expect(await revoke(unknown, options)).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(await revoke(unknown, await staff('NONE'))).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('a revocation of a malformed id is refused', async () => {
    expect(await revoke('nope', key(INTERNAL_KEY))).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await revoke('nope', await staff('PLATFORM_SUPERADMIN'))).toMatchObject({ status: 400 });
  });

  it('a revocation a second time is fine', async () => {
    const id = await idFor(await signedInUser(service));
    await revoke(id, key(INTERNAL_KEY));
    expect((await revoke(id, key(INTERNAL_KEY))).status).toBe(200);
  });
});

describe('revoking', () => {
  it('revoking one session keeps the others of the user', async () => {
    const user = await signedInUser(service);
    const other = await mintTokens(service, user.id);
    await service.machine('POST', `/internal/sessions/${await sessionIdOf(user.token)}/revoke`);
    expect((await me(other.token)).status).toBe(200);
    expect(await listOf(user.id)).toHaveLength(1);
  });

  it.each(['/internal/users', '/internal/admin/users'])(
    'revoking all through %s returns their number',
    async (prefix) => {
      const user = await signedInUser(service);
      await mintTokens(service, user.id);
      const expired = await mintTokens(service, user.id);
      await service.sql('UPDATE sessions SET expires_at = now() WHERE id = $1', [
        await sessionIdOf(expired.token),
      ]);
      const answer = await service.machine('POST', `${prefix}/${user.id}/revoke-all`);
      expect(answer.data).toEqual({ status: 'ok', revoked: 2 });
      const again = await service.machine('POST', `${prefix}/${user.id}/revoke-all`);
      expect(again.data).toEqual({ status: 'ok', revoked: 0 });
    },
  );

  it('revoking all sessions of a user does not keep them from signing in again', async () => {
    const user = await signedInUser(service);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    const { accessToken } = await service.signIn(user);
    expect((await me(accessToken)).status).toBe(200);
  });
});
