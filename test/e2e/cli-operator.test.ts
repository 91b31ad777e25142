import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../packages/cli/src/run.js';
import { runCliHere } from '../support/cli-process.js';
import { OperatorClient } from '../support/operator-client.js';
import { RecordingTerminal } from '../support/recording-terminal.js';
import { startTestService, type TestService } from '../support/service.js';

const isRoot = process.getuid?.() === 0;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

describe('the operator in the audit log', () => {
  const testClient = (env: Record<string, string> = {}) => new OperatorClient(service, env);
  const lastActor = async (userId: string) => (await testClient().auditOf(userId)).at(-1)?.actor;

  it.each([
    ['the setting', [], { LATCHKEY_OPERATOR: 'ann@acme.test' }, 'cli:ann@acme.test'],
    ['--as after the command', ['--as', 'Bea Lee'], {}, 'cli:Bea Lee'],
    ['--as before the setting', ['--as', 'bea'], { LATCHKEY_OPERATOR: 'ann' }, 'cli:bea'],
  ])('the operator is named by %s', async (_what, args, env, actor) => {
    const { id } = await service.createUser();
    await testClient(env as Record<string, string>).json(['users', 'deactivate', id, '--yes', ...args]);
    expect(await lastActor(id)).toBe(actor);
  });

  it('the operator is named by --as before the command, and by .env', async () => {
    const { id } = await service.createUser();
    await testClient().json(['--as', 'cid', 'users', 'deactivate', id, '--yes']);
    expect(await lastActor(id)).toBe('cli:cid');

    const folder = await mkdtemp(join(tmpdir(), 'latchkey-operator-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, '.env'), `LATCHKEY_OPERATOR=dora\nDATABASE_URL=${service.databaseUrl}\n`);
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await run(['users', 'reactivate', id], new RecordingTerminal())).toBe(0);
    } finally {
      process.chdir(before);
    }
    expect(await lastActor(id)).toBe('cli:dora');
  });

  it.runIf(isRoot)('root must name the operator in production before anything is changed', async () => {
    const { id } = await service.createUser();
    const production = testClient({ APP_ENV: 'production' });
    const refused = await production.run(['users', 'deactivate', id, '--yes']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('root is an account that administrators share');
    expect(refused.stderr).toContain('Add --as <your name>, or set LATCHKEY_OPERATOR.');
    expect(await lastActor(id)).toBeUndefined();
    expect((await production.run(['users', 'show', id])).code).toBe(0);
    expect((await production.run(['cleanup'])).code).toBe(0);
    expect((await production.run(['cleanup', '--run', '--yes'])).code).toBe(2);
    expect((await production.run(['users', 'deactivate', id, '--yes', '--as', 'ann'])).code).toBe(0);
    expect(await lastActor(id)).toBe('cli:ann');
  });
});

describe('an invalid operator name', () => {
  it.each([
    ['an empty one', ''],
    ['one with a line break', 'ann\nroot'],
    ['one with an escape sequence', 'ann\u001b[31m'],
    ['a long one', 'a'.repeat(65)],
    ['one that looks like an option', '-ann'],
  ])('an invalid name is rejected: %s', async (_what, name) => {
    const given = await runCliHere(['users', 'list', `--as=${name}`]);
    expect(given).toMatchObject({ code: 2, stdout: '' });
    expect(given.stderr).toContain('--as takes a name: up to 64 letters');
  });

  it('an invalid name in the setting is an invalid setting', async () => {
    const { code, stdout } = await runCliHere(['config', 'check'], {
      env: { LATCHKEY_OPERATOR: 'ann\nroot' },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('fault\tLATCHKEY_OPERATOR\t');
  });
});
