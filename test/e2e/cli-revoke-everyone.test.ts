import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnTerminal, runCliOnTerminal } from '../support/cli-process.js';
import { signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { describeWithRedis } from '../support/redis.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const EVERYONE = ['sessions', 'revoke-all', '--everyone', '--reason', 'keys may have leaked'];

/** Users straight from the database, each with two sessions: more than are read at once. */
async function fill(service: TestService, users: number): Promise<void> {
  await service.sql(
    `WITH made AS (
       INSERT INTO users (id, email, is_active, approval_status)
       SELECT gen_random_uuid(), $2 || n || '@example.com', true, 'APPROVED' FROM generate_series(1, $1::int) n
       RETURNING id)
     INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at)
     SELECT gen_random_uuid(), made.id, sha256((made.id::text || n)::bytea), sha256('x'), 'password', '{pwd}',
       now() + interval '1 hour'
     FROM made, generate_series(1, 2) n`,
    [users, `u-${randomUUID()}-`],
  );
}

const activeSessions = async (service: TestService): Promise<number> =>
  Number((await service.sql('SELECT count(*) AS n FROM sessions WHERE NOT is_revoked'))[0]?.n);

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService();
  testClient = new OperatorClient(service);
});
afterAll(() => service.stop());

it('every session of several hundred users ends, each user with an audit row and the reason', async () => {
  await fill(service, 450);
  const user = await signedInUser(service);
  const refused = await testClient.run(EVERYONE);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(await activeSessions(service)).toBe(901);

  const view = await testClient.json([...EVERYONE, '--yes']);
  expect(view).toEqual({ status: 'ok', users: 451, revoked: 901, isComplete: true });
  expect(await activeSessions(service)).toBe(0);
  const answer = await service.api('GET', '/auth/me', { token: user.token });
  expect(answer).toMatchObject({ status: 401, code: 'session_revoked' });
  expect((await testClient.auditOf(user.id)).at(-1)).toEqual({
    event: 'sessions_revoked',
    actor: testClient.actor,
    details: { everyone: true, why: 'keys may have leaked', reason: 'revoke_all', revoked: 1 },
  });
  const [rows] = await service.sql(
    `SELECT count(*)::int AS n FROM auth_audit_logs WHERE event = 'sessions_revoked' AND details ? 'everyone'`,
  );
  expect(rows?.n).toBe(451);
  expect(await testClient.json([...EVERYONE, '--yes'])).toMatchObject({
    users: 0,
    revoked: 0,
    isComplete: true,
  });
});

it('a run that is interrupted reports it, and the next one ends the rest', async () => {
  await fill(service, 250);
  const controller = new AbortController();
  const operator = { kind: 'operator', name: 'ann' } as const;
  const stopped = await service.auth.admin.sessions.revokeEveryone(operator, { reason: 'test' }, undefined, {
    signal: controller.signal,
    onProgress: (ended) => {
      if (ended >= 20) controller.abort();
    },
  });
  expect(stopped.isComplete).toBe(false);
  expect(stopped.revoked).toBeLessThan(500);
  expect(await activeSessions(service)).toBe(500 - stopped.revoked);
  const rest = await testClient.json<{ revoked: number }>([...EVERYONE, '--yes']);
  expect(rest.revoked).toBe(500 - stopped.revoked);
});

it('sign-ins during a run neither fail nor delay it', async () => {
  await fill(service, 250);
  const user = await service.createUser();
  const [ended, ...signedIn] = await Promise.all([
    testClient.json<{ isComplete: boolean }>([...EVERYONE, '--yes']),
    ...Array.from({ length: 3 }, () => service.signIn(user)),
  ]);
  expect(ended.isComplete).toBe(true);
  for (const { accessToken } of signedIn) {
    const { status, code } = await service.api('GET', '/auth/me', { token: accessToken });
    expect([200, 'session_revoked']).toContain(status === 200 ? status : code);
  }
  const [old] = await service.sql(
    `SELECT count(*)::int AS n FROM sessions WHERE NOT is_revoked AND user_id <> $1`,
    [user.id],
  );
  expect(old?.n).toBe(0);
});

it.each([
  [['sessions', 'revoke-all', '--everyone', '--yes'], '--reason <text> is missing.'],
  [['sessions', 'revoke-all', 'ann@example.com', '--everyone', '--reason', 'x', '--yes'], 'not both'],
  [['sessions', 'revoke-all', 'ann@example.com', '--reason', 'x', '--yes'], '--reason needs --everyone'],
  [['sessions', 'revoke-all', '--everyone', '--reason', ' ', '--yes'], 'must say why'],
  [['sessions', 'revoke-all', '--everyone', '--reason', 'a\nb', '--yes'], 'must be one line'],
])('%j is a usage error', async (args, message) => {
  const { code, stderr } = await testClient.run(args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

describeWithRedis('with Redis', () => {
  it('guards with cached hints reject at once, and without Redis the sessions end, too', async () => {
    const own = await serviceForThisTest({ redis: true });
    const operator = new OperatorClient(own);
    const user = await signedInUser(own);
    const byHint = () => own.auth.authenticator.authenticateByHint(user.token);
    await byHint();
    expect(await operator.json([...EVERYONE, '--yes'])).toMatchObject({ revoked: 1 });
    await expect(byHint()).rejects.toMatchObject({ code: 'session_revoked' });

    await fill(own, 250);
    own.redis?.kill();
    const { code, stdout, stderr } = await operator.run([...EVERYONE, '--yes', '--json']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ users: 250, revoked: 500, isComplete: true });
    expect(await activeSessions(own)).toBe(0);
  }, 60_000);
});

describeOnTerminal('on a terminal', () => {
  it('revoke-all --everyone needs a typed word, and changes nothing otherwise', async () => {
    await fill(service, 3);
    const answer = (word: string) =>
      runCliOnTerminal(EVERYONE, (shown) => (shown.includes('go on:') ? `${word}\r` : undefined), {
        env: { ...testClient.env, NO_COLOR: '1' },
      });
    const declined = await answer('y');
    expect(declined.code).toBe(1);
    expect(declined.stdout).toMatch(/of \d+ users: all users are signed out at once\./);
    expect(declined.stdout).toContain('Cancelled: nothing was changed.');
    expect((await answer('everyone')).code).toBe(0);
    expect(await activeSessions(service)).toBe(0);
  });
});
