import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-process.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService();
  testClient = new OperatorClient(service);
});
afterAll(() => service.stop());

/** The lines of a list on a terminal of 80 columns. */
async function lines(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCliHere(args, { env: testClient.env, columns: 80 });
  expect(code, stderr).toBe(0);
  const shown = stdout.trimEnd().split('\n');
  for (const line of shown) expect(line.length).toBeLessThanOrEqual(80);
  return shown;
}

it('at 80 columns users have their name, even beside a long one', async () => {
  const body = { email: 'ada@example.com', fullName: 'Ada Lovelace' };
  const made = await service.machine('POST', '/internal/admin/users', { body });
  await service.machine('POST', '/internal/admin/users', {
    body: { email: 'bea@example.com', fullName: 'B'.repeat(88) },
  });
  const [heading, ...users] = await lines('users', 'list');
  expect(heading).toMatch(/^EMAIL +STATUS +NAME .* ID$/);
  const ada = users.find((line) => line.startsWith('ada@example.com'));
  expect(ada).toContain('Ada Lovelace');
  const [id = ''] = /\S+$/.exec(ada ?? '') ?? [];
  expect(made.data).toHaveProperty('id', expect.stringMatching(`^${id}`));
  expect((await testClient.details(['users', 'show', id])).email).toBe('ada@example.com');
});

it('at 80 columns a session has its device and address', async () => {
  const user = await service.createUser();
  await service.api('POST', '/auth/login', {
    body: { email: user.email, password: user.password },
    headers: { 'x-device-name': 'The laptop at home' },
  });
  const [heading, session] = await lines('sessions', 'list', '--user', user.id);
  expect(heading).toMatch(/^EMAIL +LAST USED +DEVICE +ADDRESS .*ID$/);
  expect(session).toMatch(/The laptop a.* 127\.0\.0\.1/);
});

it('at 80 columns a mail has its kind', async () => {
  const user = await service.createUser();
  await service.api('POST', '/auth/password-reset/request', { body: { email: user.email } });
  const [heading, mail] = await waitUntil(
    async () => {
      const list = await lines('mail', 'outbox', '--state', 'sent');
      return list.length > 1 && list;
    },
    { what: 'a mail that was sent' },
  );
  expect(heading).toMatch(/^TO +STATE +KIND .*ID$/);
  expect(mail).toContain('password_reset');
});
