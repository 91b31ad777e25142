import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { expectRefused, expectReuse, generationOf, refresh, rotated } from '../support/refresh.js';
import { startTestService, type TestService } from '../support/service.js';

const me = (service: TestService, token: string) => service.api('GET', '/auth/me', { token });

describe('POST /auth/refresh', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('a refresh returns a new pair for the same session', async () => {
    const user = await signedInUser(service);
    const { status, data } = await refresh(service, user.refreshToken);
    expect(status).toBe(200);
    expect(data).toEqual({
      accessToken: expect.any(String) as string,
      refreshToken: expect.stringMatching(/^lkr_[\w-]{72}$/) as string,
      expiresIn: 900,
      tokenType: 'Bearer',
    });
    expect(data.refreshToken).not.toBe(user.refreshToken);
    const [before, after] = [decodeJwt(user.token), decodeJwt(data.accessToken)];
    expect(after.sid).toBe(before.sid);
    expect(after.jti).not.toBe(before.jti);
    expect(after.auth_time).toBe(before.auth_time);
    expect(after.amr).toEqual(before.amr);
    expect((await me(service, data.accessToken)).status).toBe(200);
    expect(await generationOf(service, user.id)).toBe(1);
  });

  it('a refresh with a spent token ends the session, and is audited', async () => {
    const user = await signedInUser(service);
    const { data } = await refresh(service, user.refreshToken);
    await expectReuse(service, user.refreshToken);
    await expectRefused(refresh(service, data.refreshToken), 'session_revoked');
    await expectRefused(me(service, data.accessToken), 'session_revoked');
    const audited = await service.sql(
      `SELECT outcome, subject_user_id, session_id, ip_address, request_id IS NOT NULL AS traced
       FROM auth_audit_logs WHERE event = 'refresh_reuse' AND subject_user_id = $1`,
      [user.id],
    );
    const sessionId = decodeJwt(user.token).sid;
    expect(audited).toEqual([
      {
        outcome: 'denied',
        subject_user_id: user.id,
        session_id: sessionId,
        ip_address: '127.0.0.1',
        traced: true,
      },
    ]);
  });

  it('a refresh with a token from many generations ago is reuse as well', async () => {
    const user = await signedInUser(service);
    let current = user.refreshToken;
    for (let turn = 0; turn < 4; turn++) current = await rotated(service, current);
    await expectRefused(refresh(service, user.refreshToken), 'session_revoked');
    await expectRefused(refresh(service, current), 'session_revoked');
  });

  it('a refresh that is reuse keeps the other sessions of the user', async () => {
    const user = await signedInUser(service);
    const other = await service.machine('POST', `/internal/admin/users/${user.id}/sessions`);
    await rotated(service, user.refreshToken);
    await expectReuse(service, user.refreshToken);
    await rotated(service, other.data.refreshToken);
  });

  it.each([
    ['missing', undefined],
    ['a number', 1],
    ['a list', []],
    ['empty', ''],
    ['null', null],
  ])('a refresh answers 400 when the token is %s', async (_what, token) => {
    expect(await refresh(service, token)).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('a refresh reads the token from the body only', async () => {
    const { refreshToken } = await signedInUser(service);
    const path = `/auth/refresh?refreshToken=${refreshToken}`;
    const answer = await service.api('POST', path, {
      body: {},
      headers: { authorization: `Bearer ${refreshToken}` },
    });
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    await rotated(service, refreshToken);
  });

  it('a refresh does not accept an access token', async () => {
    const user = await signedInUser(service);
    await expectRefused(refresh(service, user.token), 'unauthorized');
  });

  it.each([
    ['random text', () => 'no-token-at-all'],
    ['an unknown selector', () => `lkr_${randomBytes(54).toString('base64url')}`],
    ['a guessed secret', (token: string) => changed(token, (bytes) => randomBytes(32).copy(bytes, 22))],
    ['one bit changed', (token: string) => changed(token, (bytes) => (bytes[53] = (bytes[53] ?? 0) ^ 1))],
    ['a later generation', (token: string) => changed(token, (bytes) => bytes.writeUInt32BE(7, 18))],
    ['an earlier generation', (token: string) => changed(token, (bytes) => bytes.writeUInt32BE(0, 18))],
    [
      'the largest generation',
      (token: string) => changed(token, (bytes) => bytes.writeUInt32BE(2 ** 32 - 1, 18)),
    ],
  ])('a refresh refuses %s without any effect', async (_what, forge) => {
    const user = await signedInUser(service);
    const current = await rotated(service, user.refreshToken);
    await expectRefused(refresh(service, forge(current)), 'unauthorized');
    await rotated(service, current);
  });

  it('a refresh refuses a session that was logged out', async () => {
    const user = await signedInUser(service);
    await service.api('POST', '/auth/logout', { body: { refreshToken: user.refreshToken } });
    await expectRefused(refresh(service, user.refreshToken), 'session_revoked');
  });

  it.each([
    ['deactivated', { isActive: false }],
    ['rejected', { approvalStatus: 'REJECTED' }],
  ])('a refresh gives no tokens to a user who was %s', async (_what, patch) => {
    const user = await signedInUser(service);
    const changed = await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body: patch });
    expect(changed.status).toBe(200);
    await expectRefused(refresh(service, user.refreshToken), 'session_revoked');
    await expectRefused(me(service, user.token), 'session_revoked');
  });

  it('a refresh returns tokens with the current role', async () => {
    const user = await signedInUser(service);
    await service.machine('PATCH', `/internal/admin/users/${user.id}`, {
      body: { globalRole: 'PLATFORM_MODERATOR' },
    });
    await expectRefused(me(service, user.token), 'unauthorized');
    const { data } = await refresh(service, user.refreshToken);
    expect(decodeJwt(data.accessToken)).toMatchObject({
      globalRole: 'PLATFORM_MODERATOR',
      tokenVersion: Number(decodeJwt(user.token).tokenVersion) + 1,
    });
    expect((await me(service, data.accessToken)).status).toBe(200);
  });

  it('a refresh gives simultaneous requests one successor', async () => {
    const user = await signedInUser(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(service, user.refreshToken)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = [...new Set(answers.map(({ data }) => data.refreshToken))];
    expect(successors).toHaveLength(1);
    expect(await generationOf(service, user.id)).toBe(1);
    await rotated(service, successors[0] ?? '');
  });
});

/** Returns a token with some of its bytes changed, still in the form of a token. */
function changed(token: string, change: (bytes: Buffer) => unknown): string {
  const bytes = Buffer.from(token.slice(4), 'base64url');
  change(bytes);
  return `lkr_${bytes.toString('base64url')}`;
}
