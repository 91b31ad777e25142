import { randomBytes, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Pair {
  token: string;
  refreshToken: string;
}

const logout = (refreshToken: unknown) => service.api('POST', '/auth/logout', { body: { refreshToken } });
const refresh = (refreshToken: string) => service.api('POST', '/auth/refresh', { body: { refreshToken } });
const me = (token: string) => service.api('GET', '/auth/me', { token });
const sidOf = ({ token }: Pair) => String(decodeJwt(token).sid);

async function expectEnded({ token, refreshToken }: Pair): Promise<void> {
  const ended = { status: 401, code: 'session_revoked' };
  expect(await me(token)).toMatchObject(ended);
  expect(await refresh(refreshToken)).toMatchObject(ended);
}

async function expectAlive({ token, refreshToken }: Pair): Promise<void> {
  expect((await me(token)).status).toBe(200);
  expect((await refresh(refreshToken)).status).toBe(200);
}

describe('POST /auth/logout', () => {
  it('logging out ends the session: neither of its tokens works any more', async () => {
    const user = await signedInUser(service);
    expect(await logout(user.refreshToken)).toMatchObject({ status: 200, data: { status: 'ok' } });
    await expectEnded(user);
  });

  it('logging out can be repeated, and is audited once', async () => {
    const user = await signedInUser(service);
    await logout(user.refreshToken);
    expect(await logout(user.refreshToken)).toMatchObject({ status: 200, data: { status: 'ok' } });
    const rows = await service.sql(
      "SELECT actor_user_id FROM auth_audit_logs WHERE event = 'logout' AND session_id = $1",
      [sidOf(user)],
    );
    expect(rows).toEqual([{ actor_user_id: user.id }]);
  });

  it.each([
    ['unknown', () => `lkr_${randomBytes(54).toString('base64url')}`],
    ['no token of ours', () => 'anything'],
  ])('logging out is fine with a token that is %s', async (_what, token) => {
    expect(await logout(token())).toMatchObject({ status: 200, data: { status: 'ok' } });
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['a number', 1],
  ])('logging out answers 400 when the token is %s', async (_what, token) => {
    expect(await logout(token)).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('logging out ends the session by a token that was already rotated', async () => {
    const user = await signedInUser(service);
    const { data } = await refresh(user.refreshToken);
    await logout(user.refreshToken);
    await expectEnded({ token: data.accessToken, refreshToken: data.refreshToken });
  });

  it('logging out is impossible with a forged token of a real session', async () => {
    const user = await signedInUser(service);
    const bytes = Buffer.from(user.refreshToken.slice(4), 'base64url');
    randomBytes(32).copy(bytes, 22);
    await logout(`lkr_${bytes.toString('base64url')}`);
    await expectAlive(user);
  });

  it('logging out keeps the other sessions of the user', async () => {
    const user = await signedInUser(service);
    const other = await mintTokens(service, user.id);
    await logout(user.refreshToken);
    await expectEnded(user);
    await expectAlive(other);
  });
});

describe('POST /auth/logout-all', () => {
  it('logging out everywhere ends every session of the caller and of no other user; signing in works at once', async () => {
    const [user, stranger] = [await signedInUser(service), await signedInUser(service)];
    const others = [await mintTokens(service, user.id), await mintTokens(service, user.id)];
    const answer = await service.api('POST', '/auth/logout-all', { token: user.token });
    expect(answer).toMatchObject({ status: 200, data: { status: 'ok', revoked: 3 } });
    for (const session of [user, ...others]) await expectEnded(session);
    const again = await service.signIn(user);
    expect((await me(again.accessToken)).status).toBe(200);
    await expectAlive(stranger);
  });

  it('logging out everywhere needs an access token', async () => {
    expect(await service.api('POST', '/auth/logout-all')).toMatchObject({
      status: 401,
      code: 'unauthorized',
    });
  });
});

describe('POST /internal/sessions/{id}/revoke', () => {
  const revoke = (id: string, token: string) =>
    service.api('POST', `/internal/sessions/${id}/revoke`, { token });

  it('revoking a session is for superadmins and admins', async () => {
    const owner = await signedInUser(service);
    for (const role of ['NONE', 'PLATFORM_MODERATOR'] as const) {
      const { token } = await signedInUser(service, { role });
      expect(await revoke(sidOf(owner), token)).toMatchObject({ status: 403, code: 'forbidden' });
    }
    expect((await me(owner.token)).status).toBe(200);
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    expect(await revoke(sidOf(owner), token)).toMatchObject({ status: 200, data: { status: 'ok' } });
    await expectEnded(owner);
  });

  it('revoking a session can be repeated, and answers 404 to unknown ids', async () => {
    const owner = await signedInUser(service);
    const { token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    await revoke(sidOf(owner), token);
    expect((await revoke(sidOf(owner), token)).status).toBe(200);
    expect(await revoke(randomUUID(), token)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await revoke('no-uuid', token)).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('revoking a session works with the machine key as well', async () => {
    const owner = await signedInUser(service);
    expect((await service.machine('POST', `/internal/sessions/${sidOf(owner)}/revoke`)).status).toBe(200);
    await expectEnded(owner);
  });
});

describe('revoke-all', () => {
  it.each(['/internal/users', '/internal/admin/users'])(
    'POST %s/{id}/revoke-all ends all sessions of a user',
    async (base) => {
      const user = await signedInUser(service);
      const other = await mintTokens(service, user.id);
      const answer = await service.machine('POST', `${base}/${user.id}/revoke-all`);
      expect(answer).toMatchObject({ status: 200, data: { status: 'ok', revoked: 2 } });
      await expectEnded(user);
      await expectEnded(other);
    },
  );
});
