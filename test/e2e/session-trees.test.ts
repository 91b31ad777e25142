import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerData } from '../support/api-client.js';
import { takeApart } from '../support/forged-token.js';
import { startGuardedHost, type GuardedHost } from '../support/guarded-host.js';
import { mintTokens } from '../support/minted-token.js';
import { operate } from '../support/operations.js';
import { redisAvailable } from '../support/redis.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

const COMPANY = randomUUID();
const REVOKED = { status: 401, code: 'session_revoked' };

interface Tokens {
  accessToken: string;
  refreshToken: string;
}
type Person = TestUser & Tokens;

const sidOf = ({ accessToken }: Tokens): string => String(takeApart(accessToken).claims.sid);
const me = (service: TestService, { accessToken: token }: Tokens) =>
  service.api('GET', '/auth/me', { token });
const refresh = (service: TestService, { refreshToken }: Tokens) =>
  service.api('POST', '/auth/refresh', { body: { refreshToken } });

async function signIn(service: TestService): Promise<Person> {
  const person = await service.signedIn();
  await service.sql(
    'INSERT INTO company_memberships (id, user_id, company_id) VALUES (gen_random_uuid(), $1, $2)',
    [person.id, COMPANY],
  );
  return person;
}

async function codeOf(service: TestService, { accessToken: token }: Tokens): Promise<string> {
  const made = await service.api('POST', '/auth/handoff/create', { token, headers: { 'x-org': COMPANY } });
  expect(made.status, made.text).toBe(200);
  return String(made.data.code);
}

async function handOff(service: TestService, from: Tokens): Promise<AnswerData> {
  const code = await codeOf(service, from);
  const answer = await service.api('POST', '/auth/handoff/exchange', { body: { code } });
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

/** A person, the session that theirs has opened, and the one that this one has opened. */
async function family(service: TestService) {
  const parent = await signIn(service);
  const child = await handOff(service, parent);
  const grandchild = await handOff(service, child);
  return { parent, child, grandchild };
}

async function expectEnded(service: TestService, ...sessions: Tokens[]): Promise<void> {
  for (const session of sessions) {
    expect(await me(service, session)).toMatchObject(REVOKED);
    expect(await refresh(service, session)).toMatchObject(REVOKED);
  }
}

const stores = [
  { store: 'the in-process store', redis: false },
  ...(redisAvailable() ? [{ store: 'Redis', redis: true }] : []),
];

describe.each(stores)('a session that a hand-off opened, with $store', ({ redis }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ redis });
  });
  afterAll(() => service.stop());

  it('a handed-off session names its parent and takes over the time of the sign-in', async () => {
    const { parent, child, grandchild } = await family(service);
    const claimsOf = (tokens: Tokens) => takeApart(tokens.accessToken).claims;
    expect(claimsOf(child)).toMatchObject({ auth_time: claimsOf(parent).auth_time, amr: ['pwd', 'otp'] });
    expect(claimsOf(grandchild)).toMatchObject({
      auth_time: claimsOf(parent).auth_time,
      amr: ['pwd', 'otp'],
    });
    const expected = [
      { id: sidOf(grandchild), origin: 'handoff', parentSessionId: sidOf(child) },
      { id: sidOf(child), origin: 'handoff', parentSessionId: sidOf(parent) },
      { id: sidOf(parent), origin: 'password', parentSessionId: null },
    ];
    const own = await service.api('GET', '/auth/sessions', { token: parent.accessToken });
    const listed = await service.machine('GET', `/internal/admin/users/${parent.id}/sessions`);
    expect(own.items).toMatchObject(expected);
    expect(listed.items).toMatchObject(expected);
  });

  it('a handed-off session takes over an older time of sign-in, also after a refresh of the parent', async () => {
    const parent = await signIn(service);
    await service.sql("UPDATE sessions SET auth_time = now() - interval '1 hour' WHERE id = $1", [
      sidOf(parent),
    ]);
    const refreshed = await refresh(service, parent);
    const child = await handOff(service, { ...parent, ...refreshed.data });
    const age = Math.floor(Date.now() / 1000) - Number(takeApart(child.accessToken).claims.auth_time);
    expect(age).toBeGreaterThanOrEqual(3600);
  });

  it('a handed-off session is refused when the creating session ends first', async () => {
    const parent = await signIn(service);
    const code = await codeOf(service, parent);
    await service.api('POST', '/auth/logout', { body: { refreshToken: parent.refreshToken } });
    const answer = await service.api('POST', '/auth/handoff/exchange', { body: { code } });
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  const ways: [string, (parent: Person) => Promise<{ status: number; data: AnswerData }>, number][] = [
    ['a logout', ({ refreshToken }) => service.api('POST', '/auth/logout', { body: { refreshToken } }), 200],
    [
      'its owner ending that session',
      (parent) => service.api('DELETE', `/auth/sessions/${sidOf(parent)}`, { token: parent.accessToken }),
      200,
    ],
    [
      'a machine ending that session',
      (parent) => service.machine('POST', `/internal/sessions/${sidOf(parent)}/revoke`),
      200,
    ],
    ['a logout of all', ({ accessToken: token }) => service.api('POST', '/auth/logout-all', { token }), 200],
    ['a revocation of all', ({ id }) => service.machine('POST', `/internal/users/${id}/revoke-all`), 200],
    ['a deactivation', ({ id }) => service.machine('DELETE', `/internal/admin/users/${id}`), 200],
    [
      'the reuse of a refresh token of that session',
      async (parent) => {
        const next = await refresh(service, parent);
        expect(next.status).toBe(200);
        return refresh(service, parent);
      },
      401,
    ],
  ];

  it.each(ways)('a handed-off session ends by %s', async (_way, end, status) => {
    const { parent, child, grandchild } = await family(service);
    expect((await end(parent)).status).toBe(status);
    const live = 'SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked';
    expect(await service.sql(live, [parent.id])).toEqual([]);
    await expectEnded(service, child, grandchild);
  });

  it('a handed-off session ends alone when it is the one to be ended', async () => {
    const { parent, child, grandchild } = await family(service);
    await service.api('DELETE', `/auth/sessions/${sidOf(child)}`, { token: parent.accessToken });
    await expectEnded(service, child, grandchild);
    expect((await me(service, parent)).status).toBe(200);
  });

  it('a handed-off session ends with an ancestor although the one in between has expired', async () => {
    const { parent, child, grandchild } = await family(service);
    await service.sql("UPDATE sessions SET expires_at = now() - interval '1 day' WHERE id = $1", [
      sidOf(child),
    ]);
    await service.api('POST', '/auth/logout', { body: { refreshToken: parent.refreshToken } });
    await expectEnded(service, grandchild);
  });

  it('a handed-off session is found through an expired session as long as that row exists, whatever is cleaned up', async () => {
    const { parent, child, grandchild } = await family(service);
    await service.sql(
      "UPDATE sessions SET created_at = now() - interval '400 days', expires_at = now() - interval '399 days' WHERE id = $1",
      [sidOf(child)],
    );
    await operate(service.auth, ({ maintenance }) => maintenance.run({ only: ['sessions'] }));
    await service.api('POST', '/auth/logout', { body: { refreshToken: parent.refreshToken } });
    await expectEnded(service, grandchild);
  });

  it.each(['logout', 'revoke'])(
    'a handed-off session is counted in the audit row of a %s of its parent',
    async (way) => {
      const { parent } = await family(service);
      if (way === 'logout')
        await service.api('POST', '/auth/logout', { body: { refreshToken: parent.refreshToken } });
      else await service.machine('POST', `/internal/sessions/${sidOf(parent)}/revoke`);
      const event = way === 'logout' ? 'logout' : 'session_revoked';
      const rows = await service.sql(
        'SELECT details FROM auth_audit_logs WHERE event = $1 AND session_id = $2',
        [event, sidOf(parent)],
      );
      expect(rows).toMatchObject([{ details: { revoked: 3 } }]);
    },
  );

  it('a handed-off session may end others but not its ancestors', async () => {
    const { parent, child, grandchild } = await family(service);
    const sibling = await handOff(service, parent);
    const stranger = await service.signIn(parent);
    const answer = await service.api('POST', '/auth/logout-others', { token: child.accessToken });
    expect(answer.data).toEqual({ status: 'ok', revoked: 3 });
    await expectEnded(service, grandchild, sibling, { ...stranger });
    for (const kept of [parent, child]) expect((await me(service, kept)).status).toBe(200);
  });

  it('a handed-off session ends when its parent ends all others, and when its parent changes the password', async () => {
    const one = await family(service);
    const ended = await service.api('POST', '/auth/logout-others', { token: one.parent.accessToken });
    expect(ended.data.revoked).toBe(2);
    await expectEnded(service, one.child, one.grandchild);
    const two = await family(service);
    const body = { currentPassword: two.parent.password, newPassword: 'another long walk home' };
    const changed = await service.api('POST', '/auth/password/change', {
      token: two.parent.accessToken,
      body,
    });
    expect(changed.status, changed.text).toBe(200);
    await expectEnded(service, two.child, two.grandchild);
    expect((await me(service, two.parent)).status).toBe(200);
  });
});

describe('the absolute limit of a session tree', () => {
  it('the absolute limit is that of the root for all sessions opened from it, also after rotations', async () => {
    const service = await serviceForThisTest({
      env: { REFRESH_TOKEN_TTL: '2d', SESSION_MAX_LIFETIME: '3d' },
    });
    const parent = await signIn(service);
    const age = "UPDATE sessions SET created_at = created_at - interval '60 hours' WHERE id = $1 RETURNING 1";
    expect(await service.sql(age, [sidOf(parent)])).toHaveLength(1);
    const child = await handOff(service, parent);
    const grandchild = await handOff(service, child);
    const expectLimit = async () => {
      const rows = await service.sql(
        `SELECT extract(epoch FROM s.expires_at - root.created_at)::int AS lifetime
         FROM sessions s, sessions root WHERE s.user_id = $1 AND root.id = $2 AND s.id <> root.id`,
        [parent.id, sidOf(parent)],
      );
      expect(rows).toHaveLength(2);
      for (const { lifetime } of rows) expect(lifetime).toBeLessThanOrEqual(3 * 86_400);
    };
    await expectLimit();
    for (const session of [child, grandchild]) expect((await refresh(service, session)).status).toBe(200);
    await expectLimit();
  });
});

describe('a fresh sign-in', () => {
  let service: TestService;
  let host: GuardedHost;
  beforeAll(async () => {
    service = await startTestService();
    host = await startGuardedHost(service.auth, (mount, { requireFresh }) => {
      mount('/fresh', requireFresh('5m'));
    });
  });
  afterAll(async () => {
    await host.stop();
    await service.stop();
  });
  const ask = (token: string) => host.client.call('GET', '/fresh', { token });
  const STALE = { status: 401, code: 'reauthentication_required' };

  it('a fresh sign-in counts for a session that was handed on as long as for the one that was signed in', async () => {
    const { parent, grandchild } = await family(service);
    expect((await host.client.send('GET', '/fresh', { token: grandchild.accessToken })).status).toBe(200);
    await service.sql("UPDATE sessions SET auth_time = now() - interval '10 minutes' WHERE id = $1", [
      sidOf(parent),
    ]);
    const late = await handOff(service, parent);
    expect(await ask(late.accessToken)).toMatchObject(STALE);
  });

  it('a minted session is never a fresh sign-in, nor is a hand-off from one', async () => {
    const user = await service.createUser({ role: 'PLATFORM_ADMIN' });
    const { token: accessToken, refreshToken } = await mintTokens(service, user.id);
    expect(await ask(accessToken)).toMatchObject(STALE);
    const child = await handOff(service, { accessToken, refreshToken });
    expect(takeApart(child.accessToken).claims.amr).toEqual(['mca', 'otp']);
    expect(await ask(child.accessToken)).toMatchObject(STALE);
  });
});

describe('guards that use hints', () => {
  it('guards by hint refuse a descendant as soon as its ancestor ends', async () => {
    const service = await serviceForThisTest({ env: { SESSION_CACHE_TTL: '60' } });
    const hinted = await startGuardedHost(service.auth, (mount, { requireAuth }) => mount('/', requireAuth), {
      check: 'hint',
    });
    try {
      const { parent, grandchild } = await family(service);
      const { accessToken: token } = grandchild;
      expect((await hinted.client.send('GET', '/', { token })).status).toBe(200);
      await service.api('POST', '/auth/logout', { body: { refreshToken: parent.refreshToken } });
      expect((await hinted.client.send('GET', '/', { token })).status).toBe(401);
    } finally {
      await hinted.stop();
    }
  });
});
