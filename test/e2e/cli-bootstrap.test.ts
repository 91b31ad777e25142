import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MachineUserView } from '@latchkey/core';
import { describeOnTerminal, runCliOnTerminal, type CliResult } from '../support/cli-process.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';

const PASSWORD = 'the first horse of all';

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService();
  testClient = new OperatorClient(service, { AUTH_BASE_URL: 'https://auth.example.com' });
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.sql('DELETE FROM users');
});

const bootstrap = (email: string, more: string[] = [], input = PASSWORD): Promise<CliResult> =>
  testClient.run(['bootstrap', '--email', email, '--password-stdin', ...more], input);

const superadmins = async (): Promise<unknown[]> =>
  (await service.sql(`SELECT email FROM users WHERE global_role = 'PLATFORM_SUPERADMIN'`)).map(
    ({ email }) => email,
  );

describe('latchkey bootstrap', () => {
  it('bootstrap creates a superadmin who can sign in, and prints how', async () => {
    const { code, stdout, stderr } = await bootstrap("O'Hara@Example.com", ['--name', 'Scarlett', '--json']);
    expect(code, stderr).toBe(0);
    const user = JSON.parse(stdout) as MachineUserView;
    expect(user).toMatchObject({ email: "o'hara@example.com", globalRole: 'PLATFORM_SUPERADMIN' });
    expect((await service.machine('GET', `/internal/admin/users/${user.id}`)).data).toEqual(user);
    expect(await testClient.auditOf(user.id)).toMatchObject([
      {
        event: 'user_created',
        actor: testClient.actor,
        details: { globalRole: 'PLATFORM_SUPERADMIN', bootstrap: true },
      },
    ]);
    expect(stderr).toContain('and open https://auth.example.com/console\n');
    await service.signIn({ email: user.email, password: PASSWORD });
  });

  it('bootstrap changes nothing if there is an active superadmin, and names them', async () => {
    await service.createUser({ email: 'ruth@example.com', role: 'PLATFORM_SUPERADMIN' });
    const { code, stdout, stderr } = await bootstrap('ada@example.com');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'error: There is already an active superadmin, ruth@example.com. Nothing was changed.\n' +
        'To add another one: latchkey users create --role PLATFORM_SUPERADMIN, or latchkey users set-role\n',
    );
    expect(await superadmins()).toEqual(['ruth@example.com']);
  });

  it.each([{ active: false }, { approval: 'PENDING' }] as const)(
    'bootstrap ignores a superadmin who may not sign in (%j)',
    async (status) => {
      await service.createUser({ role: 'PLATFORM_SUPERADMIN', ...status });
      expect(await bootstrap('ada@example.com')).toMatchObject({ code: 0 });
    },
  );

  it('bootstrap leaves an existing user unchanged, and prints how to promote them', async () => {
    const { email } = await service.createUser({ email: 'early@example.com', approval: 'PENDING' });
    const { code, stderr } = await bootstrap(email);
    expect(code).toBe(1);
    expect(stderr).toContain('early@example.com is already a user. Nothing was changed.');
    expect(await superadmins()).toEqual([]);
    const commands = stderr.slice(stderr.indexOf('latchkey')).trim().split(' && ');
    for (const command of commands) {
      expect(await testClient.run(command.split(' ').slice(1)), command).toMatchObject({ code: 0 });
    }
    const [user] = await testClient.json<MachineUserView[]>([
      'users',
      'list',
      '--role',
      'PLATFORM_SUPERADMIN',
    ]);
    expect(user).toMatchObject({ email, isActive: true, approvalStatus: 'APPROVED' });
  });

  it('bootstrap without a password prints the missing step', async () => {
    const { code, stderr } = await testClient.run([
      'bootstrap',
      '--email',
      'ada@example.com',
      '--no-password',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('latchkey users set-password ada@example.com');
  });

  it.each([
    ['no email', ['bootstrap', '--password-stdin'], '--email <address> is missing'],
    ['no address', ['bootstrap', '--email', 'ada'], 'must be an email address'],
    ['a weak password', ['bootstrap', '--email', 'ada@example.com', '--password-stdin'], 'at least 8'],
  ])('bootstrap with %s creates no user', async (_what, args, complaint) => {
    const { code, stderr } = await testClient.run(args, 'short');
    expect(code).toBe(2);
    expect(stderr).toContain(complaint);
    expect(await superadmins()).toEqual([]);
  });
});

describe('latchkey bootstrap', () => {
  describeOnTerminal('on a terminal', () => {
    it('bootstrap offers to promote an existing user, whose old tokens stop working', async () => {
      const user = await signedInUser(service, { email: 'early@example.com' });
      await service.sql('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
      const react = (shown: string): string | undefined => (shown.includes('(y/N)') ? 'y\r' : undefined);
      const args = ['bootstrap', '--email', user.email];
      const { code, stdout } = await runCliOnTerminal(args, react, { env: testClient.env });
      expect(code, stdout).toBe(0);
      expect(stdout).toContain('is already a user (inactive).');
      expect(stdout).toContain('early@example.com is now the superadmin.');
      expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('unauthorized');
      const { token } = await mintTokens(service, user.id);
      expect((await service.api('GET', '/auth/me', { token })).data).toMatchObject({
        globalRole: 'PLATFORM_SUPERADMIN',
      });
      expect(await testClient.auditOf(user.id)).toContainEqual(
        expect.objectContaining({ event: 'user_role_changed', actor: testClient.actor }),
      );
    });

    it('bootstrap asks for missing values', async () => {
      const react = (shown: string): string | undefined => {
        if (shown.includes('Repeat')) return 'the first horse of all\r';
        if (shown.includes('Password')) return 'the first horse of all\n';
        if (shown.includes('Full name')) return 'Ada Lovelace\r';
        return shown.includes('Email address') ? 'ada@example.com\r' : undefined;
      };
      const { code, stdout } = await runCliOnTerminal(['bootstrap'], react, { env: testClient.env });
      expect(code, stdout).toBe(0);
      expect(stdout).not.toContain('horse');
      await service.signIn({ email: 'ada@example.com', password: PASSWORD });
    });
  });
});
