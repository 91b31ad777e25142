import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_ROLES } from '@latchkey/core';
import {
  actingPair,
  mintActing,
  mintFor,
  mintProblem,
  REASON,
  sessionOf,
  staffMember,
} from '../support/acting.js';
import { takeApart } from '../support/forged-token.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import { refresh } from '../support/refresh.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const SECRET = 'the secret of the machine crm';

let service: TestService;
beforeAll(async () => {
  const secretHashes = [`sha256:${createHash('sha256').update(SECRET).digest('hex')}`];
  const scopes = ['internal:write', 'sessions:mint'];
  const clients = [{ id: 'crm', secretHashes, audiences: ['latchkey'], scopes }];
  service = await startTestService({ env: { SERVICE_CLIENTS: JSON.stringify(clients) } });
});
afterAll(() => service.stop());

const claimsOf = (token: string) => takeApart(token).claims;

describe('a session that is opened without an actor', () => {
  it('it has no limit, no claim and no entry of an actor', async () => {
    const user = await service.createUser();
    for (const body of [undefined, {}, { unknown: 1 }]) {
      const answer = await mintFor(service, user.id, body);
      expect(answer.status, answer.text).toBe(201);
      expect(claimsOf(answer.data.accessToken)).not.toHaveProperty('act');
    }
    const { items } = await service.machine('GET', `/internal/admin/users/${user.id}/sessions`);
    expect(items.map((session) => ['actor' in session, session.origin])).toEqual([
      [false, 'minted'],
      [false, 'minted'],
      [false, 'minted'],
    ]);
    expect(service.mailsTo(user.email)).toEqual([]);
  });

  it('MINT_ACTOR_REQUIRED refuses it, and accepts one with an actor', async () => {
    const strict = await serviceForThisTest({ env: { MINT_ACTOR_REQUIRED: 'true' } });
    const user = await strict.createUser();
    expect(await mintFor(strict, user.id, undefined)).toMatchObject({
      status: 400,
      code: 'validation_error',
      message: 'actorUserId: is required, or actor; see MINT_ACTOR_REQUIRED',
    });
    expect(await strict.sql('SELECT id FROM sessions WHERE user_id = $1', [user.id])).toEqual([]);
    await mintActing(strict, user.id);
  });
});

describe('a session that is opened with an actor', () => {
  it('the claim act is the id of a member of staff, also after a refresh', async () => {
    const { staff, acting } = await actingPair(service);
    expect(claimsOf(acting.token)).toMatchObject({ act: { sub: staff.id }, amr: ['mca'], acr: 'aal1' });
    const next = await refresh(service, acting.refreshToken);
    expect(next.status, next.text).toBe(200);
    expect(claimsOf(next.data.accessToken)).toMatchObject({ act: { sub: staff.id }, acr: 'aal1' });
  });

  it('the claim act of an actor in free text is the machine, and holds nothing personal', async () => {
    const user = await service.createUser();
    const issued = await service.api('POST', '/auth/service-token', {
      body: { clientId: 'crm', clientSecret: SECRET },
    });
    const answer = await service.api('POST', `/internal/admin/users/${user.id}/sessions`, {
      body: { actor: ' Grace Hopper: ticket 4711 ', reason: REASON },
      headers: { 'x-service-token': String(issued.data.serviceToken) },
    });
    expect(answer.status, answer.text).toBe(201);
    expect(claimsOf(answer.data.accessToken).act).toEqual({ sub: 'machine:service:crm' });
    const { act } = await service.auth.authenticator.authenticate(answer.data.accessToken);
    expect(act).toEqual({ sub: 'machine:service:crm', userId: null, name: 'Grace Hopper: ticket 4711' });
    expect(await service.auth.authenticator.authenticateByHint(answer.data.accessToken)).toMatchObject({
      act: { name: 'Grace Hopper: ticket 4711' },
    });
  });

  it('the user and staff see in the lists who acts and why', async () => {
    const { user, staff, acting } = await actingPair(service);
    const actor = { userId: staff.id, name: 'Grace Hopper', reason: REASON };
    const own = await mintTokens(service, user.id);
    const lists = [
      await service.api('GET', '/auth/sessions', { token: own.token }),
      await service.machine('GET', `/internal/admin/users/${user.id}/sessions`),
    ];
    for (const { items } of lists) {
      const listed = items.find(({ id }) => id === acting.sessionId);
      expect(listed).toMatchObject({ origin: 'minted', actor });
      expect(items.find(({ id }) => id === sessionOf(own.token))).not.toHaveProperty('actor');
    }
  });

  it('the user gets a notice, the sign-in of a device is not recorded, and the last sign-in stays', async () => {
    const { user } = await actingPair(service);
    const mail = await service.mailTo(user.email);
    expect(mail.subject).toContain('acting for you');
    expect(mail.text).toMatch(/a\s+member\s+of\s+staff/);
    expect(mail.link).toBe('');
    expect(service.mailsTo(user.email)).toHaveLength(1);
    const rows = await service.sql(
      `SELECT last_login_at, (SELECT count(*)::int FROM sign_in_devices WHERE user_id = users.id) AS devices
       FROM users WHERE id = $1`,
      [user.id],
    );
    expect(rows).toEqual([{ last_login_at: null, devices: 0 }]);
  });

  it('SECURITY_NOTICES turns the notice off', async () => {
    const quiet = await serviceForThisTest({ env: { SECURITY_NOTICES: 'false' } });
    const { user } = await actingPair(quiet);
    expect(await quiet.sql('SELECT kind FROM mail_outbox WHERE recipient = $1', [user.email])).toEqual([]);
  });

  it('no refresh moves the end of the session or of its tokens past MINT_MAX_LIFETIME', async () => {
    const short = await serviceForThisTest({ env: { MINT_MAX_LIFETIME: '60s', ACCESS_TOKEN_TTL: '900' } });
    const { user, acting } = await actingPair(short);
    const next = await refresh(short, acting.refreshToken);
    for (const { token, expiresIn } of [
      acting,
      { token: next.data.accessToken, expiresIn: Number(next.data.expiresIn) },
    ]) {
      const { iat, exp } = claimsOf(token);
      expect(Number(exp) - Number(iat)).toBe(expiresIn);
      expect(expiresIn).toBeLessThanOrEqual(60);
      expect(expiresIn).toBeGreaterThan(0);
    }
    const [limits] = await short.sql(
      `SELECT expires_at = acting_until AS "isLimited", acting_until <= created_at + interval '60 s' AS "isShort"
       FROM sessions WHERE id = $1`,
      [acting.sessionId],
    );
    expect(limits).toEqual({ isLimited: true, isShort: true });
    const own = await mintTokens(short, user.id);
    expect(claimsOf(own.token).exp).toBe(Number(claimsOf(own.token).iat) + 900);
  });

  it('the session never outlives that of the actor as it was', async () => {
    const staff = await staffMember(service);
    const actorSessionId = sessionOf(staff.token);
    await service.sql(`UPDATE sessions SET expires_at = now() + interval '10 minutes' WHERE id = $1`, [
      actorSessionId,
    ]);
    const user = await service.createUser();
    const acting = await mintActing(service, user.id, { actorUserId: staff.id, actorSessionId });
    expect(acting.expiresIn).toBeLessThanOrEqual(600);
  });
});

describe('who may be named', () => {
  const staffId = async (wanted = {}) => (await staffMember(service, wanted)).id;
  const BAD: [string, () => Promise<object> | object, string][] = [
    ['an actor without a reason', () => ({ actor: 'Support' }), 'reason: is required with an actor'],
    ['an empty reason', () => ({ actor: 'Support', reason: ' ' }), 'reason: must not be empty'],
    ['a reason without an actor', () => ({ reason: REASON }), 'reason: goes with actorUserId or actor'],
    [
      'two actors',
      async () => ({ actorUserId: await staffId(), actor: 'Support', reason: REASON }),
      'actor: must not be given with actorUserId',
    ],
    [
      'free text that passes for an id',
      () => ({ actor: randomUUID(), reason: REASON }),
      'actor: must not be a UUID; name a member of staff by actorUserId',
    ],
    [
      'a session of an actor in free text',
      () => ({ actor: 'Support', reason: REASON, actorSessionId: randomUUID() }),
      'actorSessionId: goes with actorUserId',
    ],
    ['a bad id', () => ({ actorUserId: 'grace', reason: REASON }), 'actorUserId: must be a UUID'],
  ];
  it.each(BAD)('%s is 400 and opens nothing', async (_what, body, message) => {
    const user = await service.createUser();
    const answer = await mintFor(service, user.id, await body());
    expect(answer).toMatchObject({ status: 400, code: 'validation_error', message });
    expect(await service.sql('SELECT id FROM sessions WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it.each([
    ['an unknown user', () => Promise.resolve(randomUUID())],
    ['a user without a platform role', async () => (await service.createUser()).id],
    [
      'a deactivated member of staff',
      async () => (await service.createUser({ role: 'PLATFORM_ADMIN', active: false })).id,
    ],
    [
      'a member of staff who waits for approval',
      async () => (await service.createUser({ role: 'PLATFORM_ADMIN', approval: 'PENDING' })).id,
    ],
  ])('%s does not act for a user', async (_who, actorUserId) => {
    const user = await service.createUser();
    const body = { actorUserId: await actorUserId(), reason: REASON };
    const problem = await mintProblem(service, user.id, body);
    expect(problem.body).toMatchObject({ status: 403, code: 'forbidden', reason: 'actor_not_allowed' });
    expect(await service.sql('SELECT id FROM sessions WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it.each([
    ['PLATFORM_MODERATOR', []],
    ['PLATFORM_ADMIN', ['PLATFORM_MODERATOR']],
    ['PLATFORM_SUPERADMIN', ['PLATFORM_MODERATOR', 'PLATFORM_ADMIN']],
  ] as const)('%s acts for exactly the users below that role: NONE and %j', async (role, below) => {
    const actor = await staffMember(service, { role });
    const acted: string[] = [];
    for (const globalRole of GLOBAL_ROLES) {
      const user = await service.createUser({ role: globalRole });
      const problem = await mintProblem(service, user.id, { actorUserId: actor.id, reason: REASON });
      if (problem.status === 201) acted.push(globalRole);
      else {
        expect(problem.body).toMatchObject({ status: 403, code: 'forbidden', reason: 'actor_not_allowed' });
        expect(await service.sql('SELECT id FROM sessions WHERE user_id = $1', [user.id])).toEqual([]);
      }
    }
    expect(acted.toSorted()).toEqual(['NONE', ...below].toSorted());
  });

  it.each(GLOBAL_ROLES)('a user with the role %s does not act for themselves', async (role) => {
    const { id } = await service.createUser({ role });
    const problem = await mintProblem(service, id, { actorUserId: id, reason: REASON });
    expect(problem.body).toMatchObject({ status: 403, code: 'forbidden', reason: 'actor_not_allowed' });
  });

  it('a user who is promoted while the session is opened is not acted for by staff of the same rank', async () => {
    const [staff, user] = [await staffMember(service), await service.createUser()];
    const change = `UPDATE users SET global_role = 'PLATFORM_MODERATOR', token_version = token_version + 1 WHERE id = $1`;
    const answer = await overtaken(service, { userId: user.id, change }, () =>
      mintFor(service, user.id, { actorUserId: staff.id, reason: REASON }),
    );
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('a session of the actor is named only while it is active, their own, and one in which they act for themselves', async () => {
    const [staff, other] = [
      await staffMember(service),
      await staffMember(service, { role: 'PLATFORM_ADMIN' }),
    ];
    const [user, third] = [await service.createUser(), await service.createUser()];
    const ended = await mintTokens(service, staff.id);
    await service.api('POST', '/auth/logout', { body: { refreshToken: ended.refreshToken } });
    const acted = await mintActing(service, staff.id, { actorUserId: other.id });
    for (const actorSessionId of [
      randomUUID(),
      sessionOf(other.token),
      sessionOf(ended.token),
      acted.sessionId,
    ]) {
      const body = { actorUserId: staff.id, reason: REASON, actorSessionId };
      const answer = await mintProblem(service, user.id, body);
      expect(answer.body).toMatchObject({ status: 409, code: 'conflict', reason: 'actor_session_ended' });
    }
    await mintActing(service, third.id, { actorUserId: staff.id, actorSessionId: sessionOf(staff.token) });
  });

  it('a person who calls the core names themselves only, and not while an actor acts for them', async () => {
    const [admin, other] = [
      await signedInUser(service, { role: 'PLATFORM_ADMIN' }),
      await staffMember(service),
    ];
    const user = await service.createUser();
    const administrator = { kind: 'user', userId: admin.id, globalRole: 'PLATFORM_ADMIN' } as const;
    const mint = (named: object, act?: { sub: string; userId: string; name: null }) =>
      service.auth.sessionMinting.mint({ ...administrator, ...(act && { act }) }, user.id, {
        reason: REASON,
        ...named,
      });
    await expect(mint({ actorUserId: other.id })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(mint({ actor: 'Support' })).rejects.toMatchObject({ code: 'forbidden' });
    const act = { sub: other.id, userId: other.id, name: null };
    await expect(mint({ actorUserId: admin.id }, act)).rejects.toMatchObject({ reason: 'not_while_acting' });
    expect(claimsOf((await mint({ actorUserId: admin.id })).accessToken).act).toEqual({ sub: admin.id });
  });
});
