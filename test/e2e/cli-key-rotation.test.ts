import { mkdir, readdir } from 'node:fs/promises';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiClient, type AnswerData } from '../support/api-client.js';
import { describeOnTerminal, runCliHere, runCliOnTerminal } from '../support/cli-process.js';
import { KeyFolder } from '../support/key-folder.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { serviceForThisTest, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { insertMembership } from '../support/test-memberships.js';
import { insertUser, PASSWORD } from '../support/test-users.js';

const DAY = 86_400;
const ISSUER = 'https://auth.example.com';

/** A service in a process of its own that is restarted between the steps, and people who go on using it. */
class RestartedService {
  readonly #databaseUrl: string;
  readonly #folder: KeyFolder;
  #process: ServiceProcess | undefined;
  #client: ApiClient | undefined;

  constructor(databaseUrl: string, folder: KeyFolder) {
    this.#databaseUrl = databaseUrl;
    this.#folder = folder;
  }

  get url(): string {
    return this.#process?.url ?? '';
  }

  /** @param settings left out: the verification keys, before there are any. */
  async restart(settings: Record<string, string> = this.#folder.settings): Promise<void> {
    await this.stop();
    this.#process = await startService({
      env: {
        APP_ENV: 'test',
        DATABASE_URL: this.#databaseUrl,
        AUTH_BASE_URL: ISSUER,
        LOG_LEVEL: 'warn',
        ...settings,
      },
    });
    this.#client = new ApiClient(this.#process.url);
  }

  async stop(): Promise<void> {
    this.#client?.close();
    await this.#process?.stop();
  }

  call(...args: Parameters<ApiClient['call']>): ReturnType<ApiClient['call']> {
    if (!this.#client) throw new Error('The service was not started.');
    return this.#client.call(...args);
  }

  async signIn(email: string): Promise<AnswerData> {
    const answer = await this.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  }

  async refresh({ refreshToken }: AnswerData): Promise<AnswerData> {
    const answer = await this.call('POST', '/auth/refresh', { body: { refreshToken } });
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  }

  async statusOf({ accessToken }: AnswerData): Promise<number> {
    return (await this.call('GET', '/auth/me', { token: accessToken })).status;
  }

  async keySet(): Promise<JSONWebKeySet> {
    return (await this.call('GET', '/.well-known/jwks.json')).body as JSONWebKeySet;
  }
}

/** A service over a database with one user, signed with the first key of the folder. */
async function begin(folder: KeyFolder): Promise<{ service: RestartedService; email: string }> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const { email } = await insertUser(
    async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows,
  );
  await pool.end();
  const service = new RestartedService(database.url, folder);
  onTestFinished(() => service.stop());
  await service.restart({ JWT_SIGNING_KEY_PEM_FILE: folder.file('signing-key.pem') });
  return { service, email };
}

const kidOf = ({ accessToken }: AnswerData): unknown => decodeProtectedHeader(accessToken).kid;

describe('latchkey keys rotate', () => {
  it('a rotation replaces the key of a service that is restarted between the steps, without a failed request', async () => {
    const folder = await KeyFolder.make();
    const { service, email } = await begin(folder);
    const first = await service.signIn(email);
    const spent = await service.signIn(email);
    await service.refresh(spent);

    const { keys } = await folder.rotated('publish');
    const [oldId, nextId] = keys.map(({ kid }) => kid);
    const tooSoon = await folder.rotate('restarted', '--url', service.url);
    expect(tooSoon).toMatchObject({ code: 1, stdout: '' });
    expect(tooSoon.stderr).toContain('does not run with these files');
    await service.restart();
    await folder.rotated('restarted', '--url', service.url);
    expect(await service.statusOf(first)).toBe(200);
    const second = await service.refresh(first);
    expect([kidOf(first), kidOf(second)]).toEqual([oldId, oldId]);

    const early = await folder.rotate('promote');
    expect(early).toMatchObject({ code: 1, stdout: '' });
    expect(early.stderr).toMatch(
      /Verifiers may hold a key set without the next key until .*\nPossible in 4 minutes/,
    );
    const heldByVerifiers = createLocalJWKSet(await service.keySet());
    await folder.wait(301);
    await folder.rotated('promote');
    await service.restart();
    for (const pair of [first, second]) expect(await service.statusOf(pair)).toBe(200);
    const third = await service.refresh(second);
    expect(kidOf(third)).toBe(nextId);
    for (const { accessToken } of [first, second, third]) {
      expect((await jwtVerify(accessToken, heldByVerifiers)).payload.iss).toBe(ISSUER);
    }
    // A refresh token of the old key's time is still known as genuine: its reuse ends the session.
    const reuse = await service.call('POST', '/auth/refresh', { body: { refreshToken: spent.refreshToken } });
    expect(reuse.code).toBe('session_revoked');

    await folder.rotated('restarted', '--url', service.url);
    await folder.wait(DAY);
    const kept = await folder.rotate('retire', '--yes');
    expect(kept).toMatchObject({ code: 1, stdout: '' });
    expect(kept.stderr).toMatch(/Sessions from the time of the old key last until .*\nPossible in 28 days/);
    await folder.wait(29 * DAY);
    expect(await folder.rotate('retire')).toMatchObject({ code: 2, stdout: '' });
    const { next } = await folder.rotated('retire', '--yes');
    expect(next.step).toBe('publish');
    await service.restart();
    expect((await service.keySet()).keys.map(({ kid }) => kid)).toEqual([nextId]);
    expect(await service.statusOf(third)).toBe(200);
    expect(await service.statusOf(second)).toBe(401);
    expect(kidOf(await service.refresh(third))).toBe(nextId);
  });

  it('status prints tab-separated lines, and only the next step with --quiet', async () => {
    const folder = await KeyFolder.make();
    const { keys } = await folder.rotated('publish');
    const { code, stdout, stderr } = await folder.rotate('status');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'));
    expect(lines.map(([role, kid]) => [role, kid])).toEqual(keys.map(({ role, kid }) => [role, kid]));
    expect(new Set(lines.map((fields) => fields.length))).toEqual(new Set([8]));
    expect((await folder.rotate('status', '--quiet')).stdout).toBe('restart\n');
    expect((await runCliHere(['keys', 'rotate', '--dir', folder.path, '--quiet'])).stdout).toBe('restart\n');
  });

  it('status uses the lifetimes of the settings', async () => {
    const folder = await KeyFolder.make();
    const env = { SESSION_MAX_LIFETIME: '2h', ACCESS_TOKEN_TTL: '1h', REDIS_URL: 'nonsense' };
    await folder.rotated('publish');
    await folder.rotated('promote', '--force', '--yes');
    await folder.rotated('restarted');
    const { stdout } = await runCliHere(['keys', 'rotate', '--dir', folder.path, '--json'], { env });
    const [, old] = (JSON.parse(stdout) as { keys: { tokensGoneAt: string; retirableAt: string }[] }).keys;
    const [tokens, sessions] = [old?.tokensGoneAt, old?.retirableAt].map((time) => Date.parse(time ?? ''));
    expect(((sessions ?? 0) - (tokens ?? 0)) / 1000).toBe(3600 - 5);
  });

  it('files that cannot be used are an error, and nothing changes', async () => {
    const folder = await KeyFolder.make();
    await mkdir(folder.file('verification-keys.pem'));
    const { code, stdout, stderr } = await folder.rotate('publish');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${folder.path} cannot be used (EISDIR)`);
    expect((await readdir(folder.path)).sort()).toEqual(['signing-key.pem', 'verification-keys.pem']);
  });

  it.each([
    ['no folder', ['publish'], 2, '--dir <folder> is missing.'],
    ['a folder without a key', ['publish', '--dir', '/tmp'], 3, 'latchkey keys generate'],
  ])('keys rotate with %s is an error with the reason', async (_what, args, code, message) => {
    const result = await runCliHere(['keys', 'rotate', ...args]);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});

describeWithRedis('while services are restarted one by one', () => {
  /** A replica on each side of the change: the first signs with the old key, the second with the next one. */
  async function onBothSides(): Promise<[TestService, TestService]> {
    const folder = await KeyFolder.make();
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    await folder.rotated('publish');
    const env = { AUTH_BASE_URL: ISSUER, ...folder.settings };
    const before = await serviceForThisTest({ env, redis: redis.url });
    await folder.rotated('promote', '--force', '--yes');
    const after = await serviceForThisTest({ env, redis: redis.url, databaseUrl: before.databaseUrl });
    expect(before.auth.keys.signingKeyId).not.toBe(after.auth.keys.signingKeyId);
    return [before, after];
  }

  it('tabs that refresh together get the same successor, whichever key their replica signs with', async () => {
    const [before, after] = await onBothSides();
    let { refreshToken } = await before.signedIn();
    for (let turn = 0; turn < 10; turn++) {
      const body = { refreshToken };
      const order = turn % 2 === 0 ? [before, after] : [after, before];
      const answers = await Promise.all(order.map((one) => one.api('POST', '/auth/refresh', { body })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]?.data.refreshToken).toBe(answers[1]?.data.refreshToken);
      refreshToken = answers[0]?.data.refreshToken ?? '';
    }
  });

  it('a hand-off code of one is good at the other', async () => {
    const [before, after] = await onBothSides();
    const user = await before.signedIn();
    const company = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';
    await insertMembership(before.sql, { userId: user.id, companyId: company });
    for (const [maker, taker] of [
      [before, after],
      [after, before],
    ] as const) {
      const made = await maker.api('POST', '/auth/handoff/create', {
        token: user.accessToken,
        headers: { 'x-org': company },
      });
      const taken = await taker.api('POST', '/auth/handoff/exchange', { body: { code: made.data.code } });
      expect(taken.status, taken.text).toBe(200);
    }
  });
});

describeOnTerminal('latchkey keys rotate on a terminal', () => {
  it('guide explains the status and takes the next step after confirmation', async () => {
    const folder = await KeyFolder.make();
    const guide = (answer: string) =>
      runCliOnTerminal(
        ['keys', 'rotate', '--dir', folder.path],
        (shown) => (shown.includes('(y/N)') ? answer : undefined),
        {
          env: { NO_COLOR: '1' },
        },
      );
    const declined = await guide('n\r');
    expect(declined.code).toBe(0);
    expect(declined.stdout).toContain('Publish the next key now?');
    expect((await folder.rotated('status')).next.step).toBe('publish');

    expect((await guide('y\r')).stdout).toContain('Published the next key');
    const waiting = await guide('y\r');
    expect(waiting.stdout).toContain('Has every service been restarted with these files?');
    const early = await guide('y\r');
    expect(early.stdout).toMatch(/possible in 4 minutes/);
    expect(early.stdout).not.toContain('(y/N)');
  });
});
