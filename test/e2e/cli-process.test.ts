import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { describeOnTerminal, runCli, runCliOnTerminal, runShell } from '../support/cli-process.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

describe('latchkey as a process', () => {
  let service: TestService;
  let env: Record<string, string>;

  beforeAll(async () => {
    service = await startTestService();
    env = { DATABASE_URL: service.databaseUrl };
  });

  afterAll(() => service.stop());

  it('reads a password from a pipe and writes nothing but JSON to standard output', async () => {
    const args = ['users', 'create', '--email', 'piped@example.com', '--password-stdin', '--json'];
    const { code, stdout, stderr } = await runCli(args, { env, input: 'a horse in a pipe\n' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const user = JSON.parse(stdout) as { id: string };
    expect((await service.machine('GET', `/internal/admin/users/${user.id}`)).data).toEqual(user);
    await service.signIn({ email: 'piped@example.com', password: 'a horse in a pipe' });
  });

  it('an unreachable database exits with 4 and a sentence without the password', async () => {
    const DATABASE_URL = `postgres://latchkey:hidden-word@127.0.0.1:${await freePort()}/auth`;
    const { code, stdout, stderr } = await runCli(['users', 'list', '--json'], { env: { DATABASE_URL } });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(
      /^error: The database is not available .*ECONNREFUSED.*\nCheck .*DATABASE_URL.*\n$/,
    );
    expect(stderr).not.toContain('hidden-word');
  });

  it('a closed pipe is not a failure', async () => {
    await service.sql(
      `INSERT INTO users (id, email, full_name, global_role, approval_status, is_active)
       SELECT gen_random_uuid(), 'many-' || n || '@example.com', repeat('x', 150), 'NONE', 'APPROVED', true
       FROM generate_series(1, 1000) AS n`,
    );
    const line = 'set -o pipefail; latchkey users list --search many- --limit 1000 --json | head -n 1';
    expect(await runShell(line, { env })).toEqual({ code: 0, stdout: '[\n', stderr: '' });
  });

  describeOnTerminal('on a terminal', () => {
    let user: SignedInTestUser;

    beforeAll(async () => {
      user = await signedInUser(service);
    });

    const isSignedIn = async (): Promise<boolean> =>
      (await service.api('GET', '/auth/me', { token: user.token })).status === 200;

    const answering = (keys: string) => (shown: string) => (shown.includes('(y/N)') ? keys : undefined);

    it('a command shows its effect and does nothing without confirmation', async () => {
      const args = ['sessions', 'revoke-all', user.email];
      const { code, stdout } = await runCliOnTerminal(args, answering('n\r'), { env });
      expect(stdout).toContain(`End 1 session of ${user.email}? They are signed out`);
      expect(stdout).toContain('Cancelled: nothing was changed.');
      expect(code).toBe(1);
      expect(await isSignedIn()).toBe(true);
    });

    it('Ctrl-C at a question ends it quietly with 130', async () => {
      const args = ['sessions', 'revoke-all', user.email];
      const { code, stdout } = await runCliOnTerminal(args, answering('\u0003'), { env });
      expect(code).toBe(130);
      expect(stdout).not.toMatch(/error|force closed/i);
      expect(await isSignedIn()).toBe(true);
    });

    it('a missing argument is asked for, and a confirmation is enough', async () => {
      const react = (shown: string): string | undefined => {
        if (shown.includes('(y/N)')) return 'y\r';
        return shown.includes('Which user') ? `${user.email}\r` : undefined;
      };
      const { code, stdout } = await runCliOnTerminal(['sessions', 'revoke-all'], react, { env });
      expect(stdout).toContain(`Ended 1 session of ${user.email}.`);
      expect(code).toBe(0);
      expect(await isSignedIn()).toBe(false);
    });

    it('lists are tables with colours, and without colours under NO_COLOR', async () => {
      const args = ['users', 'list', '--search', user.email];
      const plain = await runCliOnTerminal(args, () => undefined, { env: { ...env, NO_COLOR: '1' } });
      expect(plain.stdout).toMatch(/^EMAIL +STATUS/);
      expect(plain.stdout).not.toContain('\u001b[');
      const painted = await runCliOnTerminal(args, () => undefined, { env });
      expect(painted.stdout).toContain('\u001b[2mEMAIL');
    });

    it('a typed password is not shown', async () => {
      const react = (shown: string): string | undefined => {
        if (shown.includes('Repeat')) return 'an unseen horse\r';
        return shown.includes('Password') ? 'an unseen horse\n' : undefined;
      };
      const args = ['users', 'create', '--email', 'typed@example.com'];
      const { code, stdout } = await runCliOnTerminal(args, react, { env });
      expect(code, stdout).toBe(0);
      expect(stdout).not.toContain('horse');
      await service.signIn({ email: 'typed@example.com', password: 'an unseen horse' });
    });
  });
});
