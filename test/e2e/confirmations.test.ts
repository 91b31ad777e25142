import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { describeWithRedis, redisAvailable } from '../support/redis.js';
import { serviceForThisTest, type TestService, type TestServiceOptions } from '../support/service.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

const NEW_PASSWORD = 'seven owls over the harbour';
const WRONG = { status: 401, code: 'unauthorized' };
const ENDED = { status: 401, code: 'session_revoked' };
const LIMITED = { status: 429, code: 'rate_limited' };

type SignedIn = TestUser & { accessToken: string; refreshToken: string };

type Env = Record<string, string>;
const started = ({ env, ...options }: Omit<TestServiceOptions, 'env'> & { env?: Env }) =>
  serviceForThisTest({ ...options, env: { TRUST_PROXY: '1', ...env } });

/** Sends from an address of its own, so that no limit of an address has an effect. */
const change = (service: TestService, token: string, currentPassword: string, address = '198.51.100.1') =>
  service.api('POST', '/auth/password/change', {
    token,
    body: { currentPassword, newPassword: NEW_PASSWORD },
    headers: { 'x-forwarded-for': address },
  });

const guess = (service: TestService, { accessToken }: SignedIn, index: number) =>
  change(service, accessToken, `guess number ${index}`, `198.51.100.${index}`);

async function guesses(service: TestService, user: SignedIn, count: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await guess(service, user, index));
  return answers;
}

const auditRows = (service: TestService, userId: string, event: string) =>
  service.sql(
    `SELECT outcome, actor, subject_user_id, session_id, details FROM auth_audit_logs
     WHERE event = $1 AND actor_user_id = $2 ORDER BY id`,
    [event, userId],
  );

const sessionsOf = (service: TestService, userId: string) =>
  service.sql(
    `SELECT id, is_revoked, revoke_reason, failed_confirmations, confirming_until FROM sessions
     WHERE user_id = $1 ORDER BY created_at`,
    [userId],
  );

const me = (service: TestService, token: string) => service.api('GET', '/auth/me', { token });

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('confirmations of the current password %s', (_which, redis) => {
  beforeAll(() => {
    if (redis && process.env.CI === 'true') expect(redisAvailable()).toBe(true);
  });
  const skipped = redis && !redisAvailable();

  it.skipIf(skipped)(
    'wrong confirmations end the session after ten in a row, and only that session',
    async () => {
      const service = await started({ redis });
      const user = await service.signedIn();
      const other = await service.signIn(user);

      const answers = await guesses(service, user, 10);
      for (const answer of answers.slice(0, 9)) expect(answer).toMatchObject(WRONG);
      expect(answers[9]).toMatchObject(ENDED);
      expect(await change(service, user.accessToken, PASSWORD)).toMatchObject(ENDED);
      const { refreshToken } = user;
      expect(await service.api('POST', '/auth/refresh', { body: { refreshToken } })).toMatchObject(ENDED);
      expect((await me(service, other.accessToken)).status).toBe(200);

      const [session, untouched] = await sessionsOf(service, user.id);
      expect(session).toMatchObject({ is_revoked: true, revoke_reason: 'confirmation_failed' });
      expect(untouched).toMatchObject({ is_revoked: false, failed_confirmations: 0 });
      const failure = {
        outcome: 'failure',
        actor: 'user',
        subject_user_id: user.id,
        session_id: session?.id,
        details: {},
      };
      expect(await auditRows(service, user.id, 'password_confirmation')).toEqual(Array(10).fill(failure));
      const ended = await auditRows(service, user.id, 'session_revoked');
      expect(ended).toMatchObject([
        { subject_user_id: user.id, session_id: session?.id, details: { reason: 'confirmation_failed' } },
      ]);
    },
  );

  it.skipIf(skipped)(
    'confirmations are compared one at a time and ten in all, however many come at once',
    async () => {
      // Each has an address of its own, but their tokens are the same.
      const env = { AUTH_BASE_URL: 'http://localhost:3000' };
      const first = await started({ redis, env });
      const replica = { databaseUrl: first.databaseUrl, redis: first.redis?.url ?? false };
      const second = await started({ ...replica, env });
      const user = await first.signedIn();
      const answers: Answer[] = [];
      for (let round = 0; round < 40 && !answers.some(({ code }) => code === 'session_revoked'); round += 1) {
        const burst = Array.from({ length: 6 }, (_, index) =>
          guess([first, second][index % 2]!, user, index),
        );
        answers.push(...(await Promise.all(burst)));
      }
      const refusals = answers.filter(({ code }) => code === 'rate_limited');
      expect(refusals.length).toBeGreaterThan(0);
      for (const { headers } of refusals) expect(headers['retry-after']).toBe('1');
      expect(await auditRows(first, user.id, 'password_confirmation')).toHaveLength(10);
      expect(answers.filter(({ code }) => code === 'unauthorized')).toHaveLength(9);
      expect(await me(second, user.accessToken)).toMatchObject(ENDED);
    },
  );

  it.skipIf(skipped)(
    'confirmations wait for the one under way, and no longer than a process that died needs',
    async () => {
      const service = await started({ redis });
      const user = await service.signedIn();
      const underWay = `UPDATE sessions SET failed_confirmations = 1, confirming_until = now() + interval '15 seconds'`;
      await service.sql(underWay);
      expect(await change(service, user.accessToken, PASSWORD)).toMatchObject(LIMITED);
      await service.sql(`UPDATE sessions SET confirming_until = now()`);
      expect((await change(service, user.accessToken, PASSWORD)).status).toBe(200);
      const [session] = await sessionsOf(service, user.id);
      expect(session).toMatchObject({ failed_confirmations: 0, confirming_until: null });
    },
  );

  it.skipIf(skipped)(
    'confirmations end a session whose tenth was under way when its process died',
    async () => {
      const service = await started({ redis });
      const user = await service.signedIn();
      await service.sql(`UPDATE sessions SET failed_confirmations = 10, confirming_until = now()`);
      expect(await change(service, user.accessToken, PASSWORD)).toMatchObject(ENDED);
      const [session] = await sessionsOf(service, user.id);
      expect(session).toMatchObject({ is_revoked: true, revoke_reason: 'confirmation_failed' });
    },
  );

  it.skipIf(skipped)('confirmations of the owner continue while strangers guess at the account', async () => {
    const service = await started({ redis });
    const user = await service.signedIn();
    const login = (address: string) =>
      service.api('POST', '/auth/login', {
        body: { email: user.email, password: 'a wrong password' },
        headers: { 'x-forwarded-for': address },
      });
    for (let index = 0; index < 20; index += 1) {
      expect(await login(`203.0.113.${index}`)).toMatchObject(WRONG);
    }
    expect(await login('203.0.113.1')).toMatchObject(LIMITED);
    expect((await change(service, user.accessToken, PASSWORD, '203.0.113.1')).status).toBe(200);
  });

  it.skipIf(skipped)('confirmations count against the limit of sign-ins of an address', async () => {
    const service = await started({ redis, env: { LOGIN_RATE_LIMIT: '4' } });
    const user = await service.signedIn();
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      statuses.push((await change(service, user.accessToken, 'a wrong password')).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
  });
});

describeWithRedis('the count of wrong confirmations', () => {
  it('the count of confirmations does not restart when Redis is lost', async () => {
    const service = await started({ redis: true });
    const user = await service.signedIn();
    for (const answer of await guesses(service, user, 9)) expect(answer).toMatchObject(WRONG);
    service.redis?.kill();
    expect(await guess(service, user, 9)).toMatchObject(ENDED);
  });
});
