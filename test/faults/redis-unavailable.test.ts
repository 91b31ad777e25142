import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { serviceForThisTest, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const withRedis = (failMode: 'open' | 'closed') =>
  serviceForThisTest({ redis: true, env: { RATE_LIMIT_FAIL_MODE: failMode } });

/** Asserts that sessions are used, refreshed, revoked and rejected without Redis. */
async function expectSessionsToWork(service: TestService): Promise<void> {
  const user = await signedInUser(service);
  expect((await service.api('GET', '/auth/me', { token: user.token })).status).toBe(200);
  const refreshed = await service.api('POST', '/auth/refresh', { body: { refreshToken: user.refreshToken } });
  expect(refreshed.status, refreshed.text).toBe(200);
  const { accessToken: token, refreshToken } = refreshed.data;
  expect((await service.api('POST', '/auth/logout', { body: { refreshToken } })).status).toBe(200);
  const revoked = { status: 401, code: 'session_revoked' };
  expect(await service.api('GET', '/auth/me', { token })).toMatchObject(revoked);
  await expect(service.auth.authenticator.authenticateByHint(token)).rejects.toMatchObject({
    code: 'session_revoked',
  });
}

async function expectReadiness(service: TestService, status: 200 | 503): Promise<void> {
  await waitUntil(async () => (await service.api('GET', '/ready')).status === status, {
    what: `GET /ready to answer ${status}`,
  });
}

const login = async (service: TestService, password?: string) => {
  const user = await service.createUser();
  return service.api('POST', '/auth/login', {
    body: { email: user.email, password: password ?? user.password },
  });
};

describeWithRedis('without Redis', () => {
  it('without Redis sessions stay active, and fail mode open lets users sign in', async () => {
    const service = await withRedis('open');
    const { token } = await signedInUser(service);
    service.redis?.kill();
    await expectSessionsToWork(service);
    expect((await login(service)).status).toBe(200);
    expect(await login(service, 'wrong password')).toMatchObject({ status: 401, code: 'unauthorized' });
    const exchange = await service.api('POST', '/auth/handoff/exchange', {
      body: { code: `lkh_${'a'.repeat(43)}` },
    });
    expect(exchange).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect((await service.api('GET', '/auth/me', { token })).status).toBe(200);
  });

  it('without Redis fail mode closed rejects sign-ins, and only these', async () => {
    const service = await withRedis('closed');
    service.redis?.kill();
    await expectSessionsToWork(service);
    expect(await login(service)).toMatchObject({ status: 503, code: 'service_unavailable' });
    const body = { email: 'new@example.com', password: 'long enough a password', fullName: 'New' };
    expect(await service.api('POST', '/auth/register', { body })).toMatchObject({ status: 503 });
  });

  it('without Redis the service is not ready, but alive, and ready again when Redis is back', async () => {
    const service = await withRedis('open');
    await expectReadiness(service, 200);
    const { redis } = service;
    redis?.kill();
    await expectReadiness(service, 503);
    const { message } = await service.api('GET', '/ready');
    expect(message).toBe('Not reachable: redis.');
    expect((await service.api('GET', '/health')).status).toBe(200);
    const again = await startRedis([], redis?.port);
    await expectReadiness(service, 200);
    await again.stop();
  });
});

describeWithRedis('a Redis that hangs', () => {
  it('a hanging Redis delays no request in fail mode open', async () => {
    const service = await withRedis('open');
    service.redis?.pause();
    await expectSessionsToWork(service);
    expect((await login(service)).status).toBe(200);
    await expectReadiness(service, 503);
    service.redis?.resume();
    await expectReadiness(service, 200);
  });

  it('a hanging Redis causes 503 in fail mode closed, until it continues', async () => {
    const service = await withRedis('closed');
    service.redis?.pause();
    expect(await login(service)).toMatchObject({ status: 503, code: 'service_unavailable' });
    service.redis?.resume();
    await expectReadiness(service, 200);
    expect((await login(service)).status).toBe(200);
  });
});

describeWithRedis('a Redis that was emptied', () => {
  it('an emptied Redis revives no session and loses no active one', async () => {
    const service = await serviceForThisTest({ redis: true });
    const [gone, live] = [await signedInUser(service), await signedInUser(service)];
    const { authenticator } = service.auth;
    for (const { token } of [gone, live]) await authenticator.authenticateByHint(token);
    await service.api('POST', '/auth/logout', { body: { refreshToken: gone.refreshToken } });
    await flush(service.redis?.url ?? '');
    const revoked = { status: 401, code: 'session_revoked' };
    expect(await service.api('GET', '/auth/me', { token: gone.token })).toMatchObject(revoked);
    const body = { refreshToken: gone.refreshToken };
    expect(await service.api('POST', '/auth/refresh', { body })).toMatchObject(revoked);
    await expect(authenticator.authenticateByHint(gone.token)).rejects.toMatchObject({
      code: 'session_revoked',
    });
    expect((await authenticator.authenticateByHint(live.token)).userId).toBe(live.id);
    expect((await login(service)).status).toBe(200);
  });
});

describeWithRedis('guards that use hints', () => {
  it('guards that use hints reject a revoked session at once while Redis is up, and when the hint has expired otherwise', async () => {
    const service = await serviceForThisTest({ redis: true, env: { SESSION_CACHE_TTL: '1' } });
    const [first, second] = [await signedInUser(service), await signedInUser(service)];
    const { authenticator } = service.auth;
    const refused = { code: 'session_revoked' };
    const logout = ({ refreshToken }: { refreshToken: string }) =>
      service.api('POST', '/auth/logout', { body: { refreshToken } });

    await authenticator.authenticateByHint(first.token);
    await logout(first);
    await expect(authenticator.authenticateByHint(first.token)).rejects.toMatchObject(refused);

    await authenticator.authenticateByHint(second.token);
    service.redis?.pause();
    await logout(second);
    service.redis?.resume();
    await sleep(1_050);
    await expect(authenticator.authenticateByHint(second.token)).rejects.toMatchObject(refused);
  });
});

async function flush(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushall();
  await client.quit();
}
