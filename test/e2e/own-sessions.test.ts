import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerData } from '../support/api-client.js';
import { takeApart } from '../support/forged-token.js';
import { startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

const REVOKED = { status: 401, code: 'session_revoked' };
const CHROME_ON_MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const list = (token: string, query = '') => service.api('GET', `/auth/sessions${query}`, { token });
const end = (token: string, id: string) => service.api('DELETE', `/auth/sessions/${id}`, { token });
const me = (token: string) => service.api('GET', '/auth/me', { token });
const refresh = (refreshToken: string) => service.api('POST', '/auth/refresh', { body: { refreshToken } });
const sessionIdOf = ({ accessToken }: { accessToken: string }) => String(takeApart(accessToken).claims.sid);

/** Node writes headers as Latin-1; this makes it write the bytes of UTF-8. */
const inUtf8 = (text: string) => Buffer.from(text).toString('latin1');

async function signInFrom(
  { email, password }: TestUser,
  headers: Record<string, string>,
): Promise<AnswerData> {
  return (await service.api('POST', '/auth/login', { body: { email, password }, headers })).data;
}

describe('the list of my sessions', () => {
  it('the list of my sessions shows device, address and times of each, and marks the current one', async () => {
    const user = await service.createUser();
    const phone = await signInFrom(user, { 'x-device-name': inUtf8('Ada’s phone'), 'user-agent': 'app/1' });
    const laptop = await signInFrom(user, { 'user-agent': CHROME_ON_MAC });
    const answer = await list(laptop.accessToken);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-total-count']).toBe('2');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    const common = {
      userId: user.id,
      email: user.email,
      globalRole: 'NONE',
      approvalStatus: 'APPROVED',
      ipAddress: '127.0.0.1',
      origin: 'password',
      amr: ['pwd'],
      parentSessionId: null,
      createdAt: time,
      lastUsedAt: time,
      expiresAt: time,
    };
    expect(answer.body).toEqual({
      success: true,
      data: [
        {
          ...common,
          id: sessionIdOf(laptop),
          userAgent: CHROME_ON_MAC,
          deviceName: 'Chrome on macOS',
          current: true,
        },
        { ...common, id: sessionIdOf(phone), userAgent: 'app/1', deviceName: 'Ada’s phone', current: false },
      ],
    });
  });

  it('the list of my sessions has null where a client sends no details', async () => {
    const { accessToken } = await service.signedIn();
    const [session] = (await list(accessToken)).items;
    expect(session).toMatchObject({ userAgent: null, deviceName: null });
  });

  it('the list of my sessions cuts a long user agent and stays valid JSON whatever it contains', async () => {
    const user = await service.createUser();
    const userAgent = `"}],{"x":"\\ <script>${'a'.repeat(5_000)}`;
    const { accessToken } = await signInFrom(user, { 'user-agent': userAgent });
    const [session] = (await list(accessToken)).items;
    expect(session?.userAgent).toBe(userAgent.slice(0, 256));
  });

  it('a device name of more than 100 characters is refused', async () => {
    const { email, password } = await service.createUser();
    const signIn = (name: string) =>
      service.api('POST', '/auth/login', { body: { email, password }, headers: { 'x-device-name': name } });
    expect((await signIn('n'.repeat(100))).status).toBe(200);
    expect(await signIn('n'.repeat(101))).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('the list of my sessions holds active sessions of the caller only', async () => {
    const user = await service.signedIn();
    await service.signedIn();
    const expired = await service.signIn(user);
    const ended = await service.signIn(user);
    const expire = `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1`;
    await service.sql(expire, [sessionIdOf(expired)]);
    await service.api('POST', '/auth/logout', { body: { refreshToken: ended.refreshToken } });
    const answer = await list(user.accessToken);
    expect(answer.items.map(({ id }) => id)).toEqual([sessionIdOf(user)]);
    expect(answer.headers['x-total-count']).toBe('1');
  });

  it('the list of my sessions comes in pages, newest first', async () => {
    const user = await service.signedIn();
    const [second, third] = [await service.signIn(user), await service.signIn(user)];
    const page = await list(user.accessToken, '?limit=2');
    expect(page.items.map(({ id }) => id)).toEqual([sessionIdOf(third), sessionIdOf(second)]);
    expect(page.headers['x-total-count']).toBe('3');
    const rest = await list(user.accessToken, '?limit=2&offset=2');
    expect(rest.items.map(({ id }) => id)).toEqual([sessionIdOf(user)]);
    expect((await list(user.accessToken, '?limit=5000&offset=9')).items).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'offset=-1',
    'limit=1&limit=2',
    'limit=1e3',
    'limit=',
  ])('the list of my sessions is refused for ?%s', async (query) => {
    const { accessToken } = await service.signedIn();
    const answer = await list(accessToken, `?${query}`);
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('the list of my sessions needs a token', async () => {
    expect(await service.api('GET', '/auth/sessions')).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('ending one of my sessions', () => {
  it('ending one of my sessions stops its tokens at once and no other', async () => {
    const user = await service.signedIn();
    const other = await service.signIn(user);
    const answer = await end(user.accessToken, sessionIdOf(other));
    expect(answer.data).toEqual({ status: 'ok' });
    expect(await me(other.accessToken)).toMatchObject(REVOKED);
    expect(await refresh(other.refreshToken)).toMatchObject(REVOKED);
    expect((await me(user.accessToken)).status).toBe(200);
    expect((await refresh(user.refreshToken)).status).toBe(200);
  });

  it('ending one of my sessions can be requested twice, and in capitals', async () => {
    const user = await service.signedIn();
    const id = sessionIdOf(await service.signIn(user));
    expect((await end(user.accessToken, id.toUpperCase())).status).toBe(200);
    expect((await end(user.accessToken, id)).status).toBe(200);
  });

  it('ending one of my sessions can end the current one', async () => {
    const user = await service.signedIn();
    expect((await end(user.accessToken, sessionIdOf(user))).status).toBe(200);
    expect(await me(user.accessToken)).toMatchObject(REVOKED);
  });

  it('ending one of my sessions finds neither unknown sessions nor those of others, not even for a superadmin', async () => {
    const owner = await service.signedIn();
    const root = await service.signedIn({ role: 'PLATFORM_SUPERADMIN' });
    for (const id of [randomUUID(), sessionIdOf(owner)]) {
      expect(await end(root.accessToken, id)).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect((await me(owner.accessToken)).status).toBe(200);
  });

  it.each(['x', '1234', 'urn:uuid:0198b7a0-0000-7000-8000-000000000000', '0198b7a000007000800000000000000a'])(
    'ending one of my sessions is refused for the id %s',
    async (id) => {
      const { accessToken } = await service.signedIn();
      expect(await end(accessToken, id)).toMatchObject({ status: 400, code: 'validation_error' });
    },
  );
});

describe('ending all my other sessions', () => {
  const endOthers = (token: string) => service.api('POST', '/auth/logout-others', { token });

  it('ending all my other sessions counts them and keeps the current one', async () => {
    const user = await service.signedIn();
    const stranger = await service.signedIn();
    const others = [await service.signIn(user), await service.signIn(user)];
    expect((await endOthers(user.accessToken)).data).toEqual({ status: 'ok', revoked: 2 });
    for (const { accessToken, refreshToken } of others) {
      expect(await me(accessToken)).toMatchObject(REVOKED);
      expect(await refresh(refreshToken)).toMatchObject(REVOKED);
    }
    for (const { accessToken } of [user, stranger]) expect((await me(accessToken)).status).toBe(200);
    expect((await endOthers(user.accessToken)).data).toEqual({ status: 'ok', revoked: 0 });
  });

  it('ending all my other sessions needs a token', async () => {
    const answer = await service.api('POST', '/auth/logout-others');
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
