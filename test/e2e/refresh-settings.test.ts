import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { describeWithRedis } from '../support/redis.js';
import {
  expectRefused,
  expectReuse,
  generationOf,
  letPassSinceRotations,
  refresh,
  rotated,
} from '../support/refresh.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { otherTestKeys, testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

const me = (service: TestService, token: string) => service.api('GET', '/auth/me', { token });

describe('the lifetime of a session', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** Moves the start of the session, and its last use, that much into the past. */
  const letPass = (userId: string, time: string) =>
    service.sql(
      `UPDATE sessions SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
       WHERE user_id = $1`,
      [userId, time],
    );

  it('a session expires when it was not used for the idle limit', async () => {
    const user = await signedInUser(service);
    await letPass(user.id, '13 days 23 hours');
    const successor = await rotated(service, user.refreshToken);
    await letPass(user.id, '13 days 23 hours');
    const last = await rotated(service, successor);
    await letPass(user.id, '14 days');
    await expectRefused(refresh(service, last), 'unauthorized');
    await expectRefused(me(service, user.token), 'unauthorized');
  });

  it('a session expires at the absolute limit however often it is refreshed', async () => {
    const user = await signedInUser(service);
    let current = user.refreshToken;
    for (let week = 1; week <= 4; week++) {
      await letPass(user.id, '7 days');
      current = await rotated(service, current);
    }
    await letPass(user.id, '2 days');
    await expectRefused(refresh(service, current), 'unauthorized');
  });

  it('a session is not ended by a spent token that comes back after it has expired', async () => {
    const user = await signedInUser(service);
    await rotated(service, user.refreshToken);
    await letPass(user.id, '14 days');
    await expectRefused(refresh(service, user.refreshToken), 'unauthorized');
  });

  it('the limits of a session can be seconds', async () => {
    const env = { ACCESS_TOKEN_TTL: '2', REFRESH_TOKEN_TTL: '3', SESSION_MAX_LIFETIME: '10' };
    const shortLived = await serviceForThisTest({ env });
    const user = await signedInUser(shortLived);
    await sleep(3_100);
    await expectRefused(refresh(shortLived, user.refreshToken), 'unauthorized');
  });
});

describe('REFRESH_REUSE_GRACE', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { REFRESH_REUSE_GRACE: '10' } });
  });
  afterAll(() => service.stop());

  it('the grace period gives the token before the current one the same successor again', async () => {
    const user = await signedInUser(service);
    const successor = await rotated(service, user.refreshToken);
    await letPassSinceRotations(service, 8);
    expect(await rotated(service, user.refreshToken)).toBe(successor);
    expect(await generationOf(service, user.id)).toBe(1);
    await rotated(service, successor);
  });

  it('the grace period does not forgive older generations', async () => {
    const user = await signedInUser(service);
    const child = await rotated(service, user.refreshToken);
    const grandchild = await rotated(service, child);
    await expectRefused(refresh(service, user.refreshToken), 'session_revoked');
    await expectRefused(refresh(service, grandchild), 'session_revoked');
  });

  it('the grace period ends', async () => {
    const user = await signedInUser(service);
    await rotated(service, user.refreshToken);
    await letPassSinceRotations(service, 11);
    await expectRefused(refresh(service, user.refreshToken), 'session_revoked');
  });
});

describe('REFRESH_TOKEN_PEPPER', () => {
  const pepper = (letter: string) => letter.repeat(40);
  const [oldPepper, newPepper] = [pepper('o'), pepper('n')];

  it('the pepper can be rotated: tokens of the old one stay valid, and their reuse is still detected', async () => {
    const before = await serviceForThisTest({ env: { REFRESH_TOKEN_PEPPER: oldPepper } });
    const { databaseUrl } = before;
    const env = { REFRESH_TOKEN_PEPPER: `${newPepper},${oldPepper}` };
    const after = await serviceForThisTest({ databaseUrl, env });
    const [kept, stolen] = [await signedInUser(before), await signedInUser(before)];
    await rotated(after, await rotated(after, kept.refreshToken));
    const current = await rotated(before, stolen.refreshToken);
    await expectReuse(after, stolen.refreshToken);
    await expectRefused(refresh(after, current), 'session_revoked');
  });

  it('a lost pepper logs no user out', async () => {
    const before = await serviceForThisTest({ env: { REFRESH_TOKEN_PEPPER: oldPepper } });
    const user = await signedInUser(before);
    const current = await rotated(before, user.refreshToken);
    const env = { REFRESH_TOKEN_PEPPER: newPepper };
    const after = await serviceForThisTest({ databaseUrl: before.databaseUrl, env });
    // It can no longer be distinguished from a forged one, so it has no effect.
    await expectRefused(refresh(after, user.refreshToken), 'unauthorized');
    const successor = await rotated(after, current);
    const last = await rotated(after, successor);
    await expectReuse(after, successor);
    await expectRefused(refresh(after, last), 'session_revoked');
  });

  it('the pepper is derived from the signing key when it is not set, and changing that key logs no user out', async () => {
    const before = await serviceForThisTest();
    const user = await signedInUser(before);
    const env = { JWT_SIGNING_KEY_PEM: otherTestKeys().privateKeyPem };
    const verify = { JWT_VERIFICATION_KEYS_PEM: testKeys().privateKeyPem };
    const { databaseUrl } = before;
    const rotatedKey = await serviceForThisTest({ databaseUrl, env: { ...env, ...verify } });
    const lostKey = await serviceForThisTest({ databaseUrl, env });
    const second = await rotated(rotatedKey, user.refreshToken);
    const third = await rotated(lostKey, second);
    await expectRefused(refresh(rotatedKey, user.refreshToken), 'session_revoked');
    await expectRefused(refresh(lostKey, third), 'session_revoked');
  });
});

describeWithRedis('without Redis', () => {
  it('a service without Redis refreshes, and detects reuse', async () => {
    const service = await serviceForThisTest({ redis: true });
    const user = await signedInUser(service);
    service.redis?.kill();
    const successor = await rotated(service, user.refreshToken);
    await rotated(service, successor);
    await expectRefused(refresh(service, user.refreshToken), 'session_revoked');
  });
});

describe('REFRESH_COALESCE_MS', () => {
  it('the interval restarts with each request that joins, so a slow burst is one burst', async () => {
    const service = await serviceForThisTest({ env: { REFRESH_COALESCE_MS: '1000' } });
    const user = await signedInUser(service);
    const answers = await Promise.all(
      Array.from({ length: 15 }, async (_, request) => {
        await sleep(request * 100);
        return rotated(service, user.refreshToken);
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(await generationOf(service, user.id)).toBe(1);
  });

  it('the interval may be 0: then every later use is reuse', async () => {
    const service = await serviceForThisTest({ env: { REFRESH_COALESCE_MS: '0' } });
    // At once, so that any interval would pardon it; a use that a stall of this process has held back is pardoned, too.
    const isRefusedAtOnce = async (): Promise<boolean> => {
      const user = await signedInUser(service);
      await rotated(service, user.refreshToken);
      return (await refresh(service, user.refreshToken)).code === 'session_revoked';
    };
    await waitUntil(isRefusedAtOnce, { what: 'a use that no stall has held back' });
  });
});
