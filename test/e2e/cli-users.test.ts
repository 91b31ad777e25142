import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MachineUserView } from '@latchkey/core';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { describeWithRedis } from '../support/redis.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

const NEW_PASSWORD = 'a new horse, from a pipe';

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService();
  testClient = new OperatorClient(service);
});

afterAll(() => service.stop());

describe('latchkey users show', () => {
  it('show says that codes are blocked after too many wrong ones', async () => {
    const { id } = await service.createUser();
    expect(await testClient.details(['users', 'show', id])).not.toHaveProperty('codes');
    await service.sql('UPDATE users SET wrong_codes = 100 WHERE id = $1', [id]);
    expect(await testClient.json(['users', 'show', id])).toMatchObject({ codesBlocked: true });
    expect(await testClient.details(['users', 'show', id])).toMatchObject({ codes: 'blocked' });
  });

  it('show equals the reply of the context route, and counts sessions and passkeys', async () => {
    const company = new TestCompany(service);
    const user = await company.member({ role: 'ADMIN', unit: company.unit });
    await mintTokens(service, user.id);
    const context = await service.machine('GET', `/internal/admin/users/${user.id}/context`);
    const { data } = await service.machine('GET', `/internal/admin/users/${user.id}`);
    expect(await testClient.json(['users', 'show', user.email])).toEqual({
      ...context.data,
      user: data,
      activeSessions: 2,
      passkeys: 0,
      codesBlocked: false,
    });
    const details = await testClient.details(['users', 'show', user.id]);
    expect(details).toMatchObject({
      id: user.id,
      email: user.email,
      status: 'active',
      'active sessions': '2',
      company: `${company.id} ADMIN`,
      'business unit': `${company.unit} of ${company.id}`,
      created: (data as unknown as MachineUserView).createdAt,
    });
  });

  it('show has older ids and the language, and a user who never signed in', async () => {
    const user = await service.createUser();
    const set = `UPDATE users SET legacy_ids = '{"crm": "4711"}', locale = 'de' WHERE id = $1`;
    await service.sql(set, [user.id]);
    expect(await testClient.details(['users', 'show', user.id])).toMatchObject({
      'older id': 'crm 4711',
      language: 'de',
      'last login': '',
    });
  });
});

describe('latchkey users reactivate', () => {
  it('reactivate lets a deactivated user sign in again', async () => {
    const user = await service.createUser({ active: false });
    const view = await testClient.json<MachineUserView>(['users', 'reactivate', user.email, '--yes']);
    expect(view).toMatchObject({ id: user.id, isActive: true, approvalStatus: 'APPROVED' });
    expect(await testClient.auditOf(user.id)).toMatchObject([
      { event: 'user_reactivated', actor: testClient.actor },
    ]);
    await service.signIn(user);
  });

  it('reactivate keeps the approval, and reports that the user still cannot sign in', async () => {
    const user = await service.createUser({ approval: 'PENDING' });
    const { code, stderr } = await testClient.run(['users', 'reactivate', user.email]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      `They still cannot sign in (pending). To allow it: latchkey users approve ${user.email}\n`,
    );
    const answer = await service.api('POST', '/auth/login', { body: user });
    expect(answer.code).toBe('pending_approval');
  });
});

describe('latchkey users set-role', () => {
  it('set-role changes role and tokens as the machine route does, and keeps sessions', async () => {
    const [byCli, byHttp] = [await signedInUser(service), await signedInUser(service)];
    const args = ['users', 'set-role', byCli.email, '--role', 'PLATFORM_ADMIN'];
    expect(await testClient.run(args)).toMatchObject({ code: 2, stdout: '' });
    const view = await testClient.json<MachineUserView>([...args, '--yes']);
    expect(view).toMatchObject({ globalRole: 'PLATFORM_ADMIN', tokenVersion: 2 });
    await service.machine('PATCH', `/internal/admin/users/${byHttp.id}`, {
      body: { globalRole: 'PLATFORM_ADMIN' },
    });
    for (const { token, refreshToken } of [byCli, byHttp]) {
      expect((await service.api('GET', '/auth/me', { token })).code).toBe('unauthorized');
      const refreshed = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
      expect(refreshed.status, refreshed.text).toBe(200);
    }
    const rows = await Promise.all([byCli, byHttp].map(({ id }) => testClient.auditOf(id)));
    const [events, eventsOverHttp] = rows.map((audit) =>
      audit.map(({ event, details }) => ({ event, details })),
    );
    expect(events?.slice(1)).toEqual(eventsOverHttp?.slice(1));
    expect(rows[0]).toContainEqual(
      expect.objectContaining({ event: 'user_role_changed', actor: testClient.actor }),
    );
  });

  it('set-role to the current role changes nothing and needs no confirmation', async () => {
    const user = await service.createUser({ role: 'PLATFORM_MODERATOR' });
    const { code, stdout } = await testClient.run([
      'users',
      'set-role',
      user.id,
      '--role',
      'PLATFORM_MODERATOR',
    ]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${user.email} already has the role PLATFORM_MODERATOR.\n`,
    });
    expect(await testClient.auditOf(user.id)).toEqual([]);
  });

  it('the last active superadmin keeps the role', async () => {
    const user = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const args = ['users', 'set-role', user.email, '--role', 'NONE', '--yes'];
    const { code, stderr } = await testClient.run(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The last active superadmin .+\n$/);
  });

  it.each([
    ['no role', ['users', 'set-role', 'ada@example.com', '--yes'], '--role <role> is missing'],
    ['no user', ['users', 'set-role', '--role', 'NONE', '--yes'], '<user> is missing'],
  ])('%s is a usage error without a terminal', async (_what, args, complaint) => {
    const { code, stderr } = await testClient.run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(complaint);
  });
});

describe('latchkey users set-password', () => {
  const setPassword = (email: string, more: string[] = []): string[] => [
    ...['users', 'set-password', email, '--password-stdin', '--yes'],
    ...more,
  ];

  it('set-password ends the sessions of the old password, and the new one signs in', async () => {
    const user = await signedInUser(service);
    const resetToken = await new ResetClient(service).tokenFor(user.email);
    const answer = await testClient.json(setPassword(user.email), `${NEW_PASSWORD}\n`);
    expect(answer).toMatchObject({
      user: { id: user.id, tokenVersion: 2 },
      endedSessions: 1,
      removedPasskeys: 0,
    });
    expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('session_revoked');
    expect((await new ResetClient(service).confirm(resetToken)).code).toBe('validation_error');
    expect((await new ResetClient(service).login(user.email, user.password)).code).toBe('unauthorized');
    await service.signIn({ email: user.email, password: NEW_PASSWORD });
    expect(await testClient.auditOf(user.id)).toContainEqual({
      event: 'password_changed',
      actor: testClient.actor,
      details: { reason: 'password_changed', revoked: 1, removedPasskeys: 0 },
    });
  });

  it('set-password notifies the user by mail, which the worker of the service sends', async () => {
    const user = await service.createUser();
    await testClient.json(setPassword(user.email), NEW_PASSWORD);
    expect((await service.mailTo(user.email)).subject).toContain('password was changed');
  });

  it('set-password queues no mail if none is delivered', async () => {
    const user = await service.createUser();
    const inProduction = new OperatorClient(service, { APP_ENV: 'production', LATCHKEY_OPERATOR: 'ann' });
    await inProduction.json(setPassword(user.email), NEW_PASSWORD);
    const queued = 'SELECT 1 FROM mail_outbox WHERE recipient = $1';
    expect(await service.sql(queued, [user.email])).toEqual([]);
  });

  it.each([
    ['a password that is too short', 'short', 'at least 8'],
    ['nothing at all', '\n', 'Standard input holds no password.'],
  ])('%s changes nothing', async (_what, input, complaint) => {
    const user = await signedInUser(service);
    const { code, stderr } = await testClient.run(setPassword(user.email), input);
    expect(code).toBe(2);
    expect(stderr).toContain(complaint);
    expect((await service.api('GET', '/auth/me', { token: user.token })).status).toBe(200);
  });

  it('set-password without confirmation or a password source is a usage error', async () => {
    const { email } = await service.createUser();
    const args = ['users', 'set-password', email];
    for (const [more, complaint] of [
      [['--password-stdin'], 'Add --yes'],
      [['--yes'], '--password-stdin is missing'],
    ] as const) {
      const { code, stderr } = await testClient.run([...args, ...more], NEW_PASSWORD);
      expect(code).toBe(2);
      expect(stderr).toContain(complaint);
    }
  });
});

describeWithRedis('a guard that lives on hints', () => {
  it.each([
    ['set-role', ['--role', 'PLATFORM_ADMIN'], undefined, 'unauthorized'],
    ['set-password', ['--password-stdin'], NEW_PASSWORD, 'session_revoked'],
    ['deactivate', [], undefined, 'session_revoked'],
  ] as const)('a guard rejects at once after users %s, as over HTTP', async (verb, more, input, code) => {
    const withRedis = await serviceForThisTest({ redis: true });
    const user = await signedInUser(withRedis, { role: 'PLATFORM_SUPERADMIN' });
    await withRedis.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const { authenticator } = withRedis.auth;
    expect((await authenticator.authenticateByHint(user.token)).globalRole).toBe('PLATFORM_SUPERADMIN');
    await new OperatorClient(withRedis).json(['users', verb, user.email, ...more, '--yes'], input);
    await expect(authenticator.authenticateByHint(user.token)).rejects.toMatchObject({ code });
  });

  it('a guard rejects at once after a role change over HTTP, and accepts the refreshed token', async () => {
    const withRedis = await serviceForThisTest({ redis: true });
    const user = await signedInUser(withRedis, { role: 'PLATFORM_ADMIN' });
    const { authenticator } = withRedis.auth;
    await authenticator.authenticateByHint(user.token);
    await withRedis.machine('PATCH', `/internal/admin/users/${user.id}`, { body: { globalRole: 'NONE' } });
    await expect(authenticator.authenticateByHint(user.token)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const { refreshToken } = user;
    const { data } = await withRedis.api('POST', '/auth/refresh', { body: { refreshToken } });
    expect((await authenticator.authenticateByHint(data.accessToken)).globalRole).toBe('NONE');
  });
});
