import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { MachineUserView } from '@latchkey/core';
import { readRsaKey } from '@latchkey/core/keys';
import { sessionView } from '@latchkey/core/schemas';
import { freePort } from '../../tools/shared/free-port.mjs';
import { runCliHere, type CliResult } from '../support/cli-process.js';
import { signedInUser } from '../support/minted-token.js';
import { describeWithRedis } from '../support/redis.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const UNKNOWN_ID = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';
const PASSWORD = 'a long horse from the pipe';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

/** `latchkey` beside the service, without a terminal. */
const latchkey = (args: string[], input?: string): Promise<CliResult> =>
  runCliHere(args, { env: { DATABASE_URL: service.databaseUrl }, ...(input !== undefined && { input }) });

async function json<T>(args: string[], input?: string): Promise<T> {
  const { code, stdout, stderr } = await latchkey([...args, '--json'], input);
  expect(code, stderr).toBe(0);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as T;
}

/** The user as a machine reads it over HTTP. */
const overHttp = async (id: string): Promise<unknown> =>
  (await service.machine('GET', `/internal/admin/users/${id}`)).data;

const auditOf = (userId: string): Promise<Record<string, unknown>[]> =>
  service.sql('SELECT event, actor FROM auth_audit_logs WHERE subject_user_id = $1 ORDER BY id', [userId]);

const operator = `cli:${userInfo().username}`;

describe('latchkey users create', () => {
  it('create adds a user who signs in with the password of standard input', async () => {
    const args = [
      'users',
      'create',
      '--email',
      'Grace@Example.com',
      '--name',
      'Grace Hopper',
      '--password-stdin',
    ];
    const user = await json<MachineUserView>(args, `${PASSWORD}\n`);
    expect(user).toMatchObject({ email: 'grace@example.com', fullName: 'Grace Hopper', globalRole: 'NONE' });
    expect(await overHttp(user.id)).toEqual(user);
    expect(await auditOf(user.id)).toEqual([{ event: 'user_created', actor: operator }]);
    await service.signIn({ email: 'grace@example.com', password: PASSWORD });
  });

  it('create prints only the id with --quiet, and sets role and language', async () => {
    const options = ['--role', 'PLATFORM_ADMIN', '--locale', 'de', '--quiet'];
    const args = ['users', 'create', '--email', 'root@example.com', ...options];
    const { code, stdout, stderr } = await latchkey(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await overHttp(stdout.trim())).toMatchObject({
      email: 'root@example.com',
      globalRole: 'PLATFORM_ADMIN',
      locale: 'de',
    });
  });

  it.each([
    ['no email', ['users', 'create'], 2, 'error: --email <address> is missing.'],
    ['no address', ['users', 'create', '--email', 'ada'], 2, 'error: email: must be an email address.'],
    [
      'a password that is too short',
      ['users', 'create', '--email', 'a@example.com', '--password-stdin'],
      2,
      'at least 8',
    ],
    [
      'an email that is taken',
      ['users', 'create', '--email', 'taken@example.com'],
      1,
      'error: A user with this email',
    ],
  ])('create with %s fails with a sentence and changes nothing', async (_what, args, code, sentence) => {
    if (code === 1) await service.createUser({ email: 'taken@example.com' });
    const before = await service.sql('SELECT count(*) FROM users');
    const result = await latchkey(args, 'short');
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(sentence);
    expect(result.stderr).not.toMatch(/^ +at /m);
    expect(await service.sql('SELECT count(*) FROM users')).toEqual(before);
  });
});

describe('latchkey users list', () => {
  it('list equals the reply of the machine route as JSON, and prints tab-separated lines without --json', async () => {
    const user = await service.createUser({ fullName: 'Pending\tPerson', approval: 'PENDING' });
    const users = await json<MachineUserView[]>(['users', 'list', '--status', 'PENDING']);
    const listed = await service.machine('GET', '/internal/admin/users?approvalStatus=PENDING');
    expect(users).toEqual(listed.items);
    expect(users.map(({ id }) => id)).toContain(user.id);
    const { stdout } = await latchkey(['users', 'list', '--status', 'PENDING']);
    const line = stdout.split('\n').find((text) => text.startsWith(user.id)) ?? '';
    const [, email, role, status, active, , lastLogin, name] = line.split('\t');
    expect([email, role, status, active, lastLogin]).toEqual([user.email, 'NONE', 'PENDING', 'false', '']);
    expect(name).toBe('Pending\uFFFDPerson');
  });

  it('list reports on standard error that there are more users', async () => {
    await service.createUser();
    await service.createUser();
    const { code, stdout, stderr } = await latchkey(['users', 'list', '--limit', '1']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/^1 of \d+ users; --limit and --offset show the others\.\n$/);
  });
});

describe('latchkey users approve, reject and deactivate', () => {
  it('an approved user can sign in', async () => {
    const user = await service.createUser({ approval: 'PENDING' });
    const approved = await json<MachineUserView>(['users', 'approve', user.email.toUpperCase()]);
    expect(approved).toMatchObject({ id: user.id, approvalStatus: 'APPROVED', isActive: true });
    expect(await auditOf(user.id)).toEqual([{ event: 'user_approved', actor: operator }]);
    await service.signIn(user);
  });

  it.each([
    ['reject', 'user_rejected', { approvalStatus: 'REJECTED' }],
    ['deactivate', 'user_deactivated', { isActive: false }],
  ])('%s ends access at once, as over HTTP, and needs --yes', async (verb, event, change) => {
    const [byCli, byHttp] = [await signedInUser(service), await signedInUser(service)];
    const refused = await latchkey(['users', verb, byCli.email]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--yes');
    expect(await overHttp(byCli.id)).toMatchObject({ tokenVersion: 1, isActive: true });

    const view = await json<MachineUserView>(['users', verb, byCli.id, '--yes']);
    expect(view).toMatchObject({ ...change, tokenVersion: 2 });
    expect(await overHttp(byCli.id)).toEqual(view);
    await service.machine('PATCH', `/internal/admin/users/${byHttp.id}`, { body: change });
    expect(await traceOf(byCli)).toEqual(await traceOf(byHttp));
    expect(await auditOf(byCli.id)).toContainEqual({ event, actor: operator });
  });

  /** Returns the effects of a change, without names and times. */
  async function traceOf({ id, token }: { id: string; token: string }): Promise<unknown> {
    const answer = await service.api('GET', '/auth/me', { token });
    const audit = await auditOf(id);
    const sessions = await service.sql('SELECT is_revoked, revoke_reason FROM sessions WHERE user_id = $1', [
      id,
    ]);
    return { status: answer.status, code: answer.code, events: audit.map(({ event }) => event), sessions };
  }

  it('the last active superadmin cannot be deactivated or rejected', async () => {
    const { email } = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const { code, stderr } = await latchkey(['users', 'deactivate', email, '--yes']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The last active superadmin .+\n$/);
  });

  it.each([
    ['unknown@example.com', 3, 'There is no user unknown@example.com.'],
    [UNKNOWN_ID, 3, `There is no user ${UNKNOWN_ID}.`],
    ['unknown', 3, 'There is no user unknown.'],
  ])('%s exits with %i', async (user, code, sentence) => {
    const result = await latchkey(['users', 'approve', user]);
    expect(result).toEqual({ code, stdout: '', stderr: `error: ${sentence}\nSee: latchkey users list\n` });
  });
});

describe('latchkey sessions', () => {
  it('sessions list --user equals the reply of the machine route', async () => {
    const user = await signedInUser(service);
    const sessions = await json<unknown[]>(['sessions', 'list', '--user', user.email]);
    const listed = await service.machine('GET', `/internal/admin/users/${user.id}/sessions`);
    expect(sessions).toEqual(listed.items);
    expect(sessions.map((session) => sessionView.strict().parse(session).userId)).toEqual([user.id]);
    const { stdout } = await latchkey(['sessions', 'list', '--quiet']);
    expect(stdout.split('\n')).toContain(listed.items[0]?.id);
  });

  it('revoke ends one session, and may be repeated', async () => {
    const user = await signedInUser(service);
    const [session] = await json<{ id: string }[]>(['sessions', 'list', '--user', user.id]);
    const id = session?.id ?? '';
    expect(await latchkey(['sessions', 'revoke', id])).toMatchObject({ code: 2 });
    expect((await service.api('GET', '/auth/me', { token: user.token })).status).toBe(200);
    for (let time = 0; time < 2; time++) {
      expect(await json(['sessions', 'revoke', id.toUpperCase(), '--yes'])).toEqual({ status: 'ok' });
    }
    expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('session_revoked');
    const revocations = (await auditOf(user.id)).filter(({ event }) => event === 'session_revoked');
    expect(revocations).toEqual([{ event: 'session_revoked', actor: operator }]);
  });

  it('revoke-all counts the ended sessions and does not change the user', async () => {
    const user = await signedInUser(service);
    await service.signIn(user);
    const args = ['sessions', 'revoke-all', user.email];
    expect(await latchkey(args)).toMatchObject({ code: 2, stdout: '' });
    expect(await json([...args, '--yes'])).toEqual({ status: 'ok', revoked: 2 });
    expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('session_revoked');
    expect(await overHttp(user.id)).toMatchObject({ tokenVersion: 1, isActive: true });
    expect(await auditOf(user.id)).toContainEqual({ event: 'sessions_revoked', actor: operator });
  });

  it.each([
    ['an unknown session', ['sessions', 'revoke', UNKNOWN_ID, '--yes'], 3],
    ['something that no id begins with', ['sessions', 'revoke', 'everything', '--yes'], 3],
    ['three characters', ['sessions', 'revoke', '019', '--yes'], 2],
    ['no session at all', ['sessions', 'revoke'], 2],
    ['an unknown user', ['sessions', 'revoke-all', 'unknown@example.com', '--yes'], 3],
  ])('sessions with %s exits with its own code', async (_what, args, code) => {
    expect(await latchkey(args)).toMatchObject({ code, stdout: '' });
  });
});

describeWithRedis('latchkey beside a service with Redis', () => {
  it('revoke marks ended sessions in Redis, for guards with cached hints', async () => {
    const withRedis = await serviceForThisTest({ redis: true });
    const redisUrl = withRedis.redis?.url ?? '';
    const user = await signedInUser(withRedis);
    const env = { DATABASE_URL: withRedis.databaseUrl, REDIS_URL: redisUrl };
    const { code, stderr } = await runCliHere(['sessions', 'revoke-all', user.email, '--yes'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const sessions = await withRedis.sql('SELECT id FROM sessions WHERE user_id = $1', [user.id]);
    const redis = new Redis(redisUrl);
    onTestFinished(() => redis.disconnect());
    expect(await redis.keys('*session:revoked*')).toEqual([
      `latchkey:session:revoked:${String(sessions[0]?.id)}`,
    ]);
  });

  it('revoke ends sessions while Redis is unavailable, and reports the consequence', async () => {
    const user = await signedInUser(service);
    const env = { DATABASE_URL: service.databaseUrl, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    const { code, stderr } = await runCliHere(['sessions', 'revoke-all', user.email, '--yes'], { env });
    expect(code).toBe(0);
    expect(stderr).toContain('warning: Revocation markers were not written');
    expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('session_revoked');
  });
});

describe('latchkey keys generate', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('generate prints only a PEM on standard output, and needs no settings', async () => {
    const { code, stdout, stderr } = await runCliHere(['keys', 'generate', '--jwk'], {
      env: { APP_ENV: 'nonsense' },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^-----BEGIN PRIVATE KEY-----\n[\s\S]+\n-----END PRIVATE KEY-----\n$/);
    const { kid, jwk } = await readRsaKey(stdout);
    expect(stderr).toContain(kid);
    expect(stderr).toContain(jwk.n);
  });

  it('generate writes a new file that only its owner can read', async () => {
    const file = join(folder, 'signing-key.pem');
    const args = ['keys', 'generate', '--bits', '3072', '--out', file];
    const view = JSON.parse((await latchkey([...args, '--json'])).stdout) as Record<string, unknown>;
    const { kid, jwk } = await readRsaKey(await readFile(file, 'utf8'));
    expect(view).toEqual({ kid, bits: 3072, publicJwk: jwk, file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const again = await latchkey(args);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('--force');
    await writeFile(file, 'old');
    expect(await latchkey([...args, '--force', '--quiet'])).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(file, 'utf8')).toContain('BEGIN PRIVATE KEY');
  });
});
