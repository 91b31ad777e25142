import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGuardedHost, type GuardedHost } from '../support/guarded-host.js';
import { describeWithRedis } from '../support/redis.js';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

const NEW_PASSWORD = 'seven owls over the harbour';
const OPERATOR = { kind: 'operator', name: 'test' } as const;
const ENDED = { status: 401, code: 'session_revoked' };

type SignedIn = TestUser & { accessToken: string };

/** Actions that end the sessions of a user; `current` is the session that a user acts with. */
const CAUSES: { cause: string; end: (service: TestService, current: SignedIn) => Promise<unknown> }[] = [
  {
    cause: 'a password that the user changed',
    end: (service, { accessToken, password }) =>
      service.api('POST', '/auth/password/change', {
        token: accessToken,
        body: { currentPassword: password, newPassword: NEW_PASSWORD },
      }),
  },
  {
    cause: 'a password reset',
    end: async (service, { email }) => {
      const client = new ResetClient(service);
      return client.confirm(await client.tokenFor(email), NEW_PASSWORD);
    },
  },
  {
    cause: 'a password that an operator set',
    end: (service, { id }) => service.auth.admin.passwords.set(OPERATOR, id, { password: NEW_PASSWORD }),
  },
  {
    cause: 'a deactivation',
    end: (service, { id }) => service.machine('DELETE', `/internal/admin/users/${id}`),
  },
  {
    cause: 'a withdrawn approval',
    end: (service, { id }) =>
      service.machine('PATCH', `/internal/admin/users/${id}`, { body: { approvalStatus: 'REJECTED' } }),
  },
];

function cases(redis: boolean): void {
  let service: TestService;
  let host: GuardedHost;
  beforeAll(async () => {
    // Hints that outlast any test: only a mark can make a guard ask the database.
    service = await startTestService({ redis, env: { SESSION_CACHE_TTL: '60' } });
    host = await startGuardedHost(service.auth, (mount, { requireAuth }) => mount('/', requireAuth), {
      check: 'hint',
    });
  });
  afterAll(async () => {
    await host.stop();
    await service.stop();
  });

  const ask = (token: string) => host.client.send('GET', '/', { token });

  it.each(CAUSES)(
    'guards by hint refuse the sessions that were ended by $cause, at once',
    async ({ end }) => {
      const user = await service.signedIn();
      const others = [await service.signIn(user), await service.signIn(user)];
      for (const { accessToken } of [user, ...others]) expect((await ask(accessToken)).status).toBe(200);
      await end(service, user);
      for (const { accessToken } of others) expect(await ask(accessToken)).toMatchObject(ENDED);
    },
  );

  it('guards by hint keep the session that changed the password', async () => {
    const user = await service.signedIn();
    const body = { currentPassword: user.password, newPassword: NEW_PASSWORD };
    await service.api('POST', '/auth/password/change', { token: user.accessToken, body });
    expect((await ask(user.accessToken)).status).toBe(200);
  });
}

describe('guards by hint, in one process', () => cases(false));
describeWithRedis('guards by hint, with Redis', () => cases(true));
