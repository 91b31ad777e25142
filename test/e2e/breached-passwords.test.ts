import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError, createAuth, readSettings, SettingsError, type FieldFault } from '@latchkey/core';
import { inspectSettings } from '@latchkey/core/settings';
import { buildBreachList, diagnose } from '@latchkey/operations';
import { startupFacts } from '../../packages/server/src/startup-facts.js';
import { startupSummary } from '../../packages/server/src/startup-summary.js';
import { InvitationClient } from '../support/invitation-client.js';
import { asSignedInByPassword, signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { registerUser, registerWithLink } from '../support/registration-client.js';
import { ResetClient } from '../support/reset-client.js';
import { launchService } from '../support/service-process.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { testKeys } from '../support/test-keys.js';

const BREACHED = 'five owls over the harbour';
const UNLISTED = 'nine owls over the harbour';
const MESSAGE = 'is known from a data breach; choose another one, which is used nowhere else';

let folder: string;
let list: string;
let service: TestService;
let operator: OperatorClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-breaches-'));
  list = await listOf('breached.list', `${BREACHED}\n`);
  const env = { PASSWORD_BREACH_LIST: list, REGISTRATION_APPROVAL: 'verified' };
  service = await startTestService({ env });
  operator = new OperatorClient(service, { PASSWORD_BREACH_LIST: list });
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

async function listOf(name: string, words: string): Promise<string> {
  const [input, output] = [join(folder, `${name}.txt`), join(folder, name)];
  await writeFile(input, words);
  await buildBreachList({ inputs: [input], output });
  return output;
}

/** Pointer, reason and message of each field that a request is refused for. */
async function faultsOf(path: string, body: object, options: object = {}): Promise<FieldFault[]> {
  const headers = { accept: 'application/problem+json', 'x-internal-api-key': INTERNAL_KEY };
  const { status, text } = await service.client.send('POST', path, { body, headers, ...options });
  expect(status, text).toBe(400);
  return (JSON.parse(text) as { errors: FieldFault[] }).errors;
}

const faultOf = (field: string) => [{ pointer: `/${field}`, reason: 'breached', message: MESSAGE }];

/** The ways to set a password over HTTP: each gives path, body and options of a request that is right but for it. */
const WAYS: Record<string, (password: string) => Promise<[path: string, body: object, options?: object]>> = {
  'a registration': (password) =>
    Promise.resolve(['/auth/register', { email: 'new@example.com', password, fullName: 'Ann' }]),
  'a proof of the mailbox with another password': async (password) => {
    const { token } = await registerWithLink(service);
    return ['/auth/email/verify', { token, password }];
  },
  'an accepted invitation of a new user': async (password) => {
    const { token } = await (await InvitationClient.open(service)).invite();
    return ['/auth/invitations/accept', { token, password, fullName: 'Ann' }];
  },
  'a user that staff create': async (password) => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const body = { email: 'by-staff@example.com', password, globalRole: 'NONE' };
    return ['/internal/users', body, { token, headers: { accept: 'application/problem+json' } }];
  },
  'a user that a machine creates': (password) =>
    Promise.resolve([
      '/internal/admin/users',
      { email: 'by-machine@example.com', password, globalRole: 'NONE' },
    ]),
};

describe('a breached password', () => {
  it.each(Object.entries(WAYS))('is refused by %s, and another is accepted', async (_way, request) => {
    const [path, body, options] = await request(BREACHED);
    expect(await faultsOf(path, body, options)).toEqual(faultOf('password'));
    const { status, text } = await service.client.send('POST', path, {
      headers: { 'x-internal-api-key': INTERNAL_KEY },
      ...options,
      body: { ...body, password: UNLISTED },
    });
    expect(status, text).toBeLessThan(300);
  });

  it('is refused by a change of the password, which stays as it is', async () => {
    const user = await signedInUser(service);
    const { token } = asSignedInByPassword(user);
    const body = { currentPassword: user.password, newPassword: BREACHED };
    expect(await faultsOf('/auth/password/change', body, { token })).toEqual(faultOf('newPassword'));
    await service.signIn(user);
  });

  it('is refused by a reset, whose link can be used again', async () => {
    const client = new ResetClient(service);
    const { token } = await client.userWithToken();
    const body = { token, newPassword: BREACHED };
    expect(await faultsOf('/auth/password-reset/confirm', body)).toEqual(faultOf('newPassword'));
    expect((await client.confirm(token, UNLISTED)).status).toBe(200);
  });

  it('is reported together with the faults of other fields', async () => {
    const body = { email: 'nope', password: BREACHED, fullName: 'Ann' };
    const faults = await faultsOf('/auth/register', body);
    expect(faults.map(({ pointer, reason }) => `${pointer} ${reason}`)).toEqual([
      '/email format',
      '/password breached',
    ]);
  });

  it('is refused in a form that is normalized to the same password', async () => {
    const body = { email: 'typed@example.com', password: BREACHED.replace('fi', 'ﬁ'), fullName: 'Ann' };
    expect(await faultsOf('/auth/register', body)).toEqual(faultOf('password'));
  });

  it('is refused by the methods of the library', async () => {
    const { id } = await service.createUser();
    const set = service.auth.admin.passwords.set({ kind: 'operator', name: 'ann' }, id, {
      password: BREACHED,
    });
    const error: unknown = await set.catch((reason: unknown) => reason);
    expect(AuthError.is(error) && error.fields).toEqual(faultOf('password'));
  });

  it.each([
    ['users create', ['users', 'create', '--email', 'cli@example.com', '--password-stdin']],
    ['bootstrap', ['bootstrap', '--email', 'root@example.com', '--password-stdin']],
  ])('is refused by latchkey %s', async (_name, args) => {
    const { code, stderr } = await operator.run(args, BREACHED);
    expect(stderr).toContain(`password: ${MESSAGE}`);
    expect(code).toBe(2);
  });

  it('is refused by latchkey users set-password', async () => {
    const user = await service.createUser();
    const args = ['users', 'set-password', user.email, '--password-stdin', '--yes'];
    expect(await operator.run(args, BREACHED)).toMatchObject({ code: 2 });
    expect(await operator.run(args, UNLISTED)).toMatchObject({ code: 0 });
  });

  it('still signs in the user who has it already', async () => {
    await service.signIn(await service.createUser({ password: BREACHED }));
  });
});

describe('the list of a running service', () => {
  it('is in the summary of the start, and its lookups are in the metrics', async () => {
    const facts = startupFacts({ auth: service.auth, embedded: undefined, keyFile: undefined, port: 4000 });
    const today = new Date().toISOString().slice(0, 4);
    expect(startupSummary(facts)).toMatch(new RegExp(`breach list +1 entries, built on ${today}-`));
    expect(startupSummary({ ...facts, breachListEntries: undefined })).toMatch(
      /breach list +none \(PASSWORD_BREACH_LIST\)/,
    );
    expect(await service.auth.metrics.text()).toMatch(
      /latchkey_breached_password_lookups_total\{outcome="listed"\} [1-9]/,
    );
  });

  it('is closed with the service', async () => {
    const own = await serviceForThisTest({ env: { PASSWORD_BREACH_LIST: list } });
    await registerUser(own);
    await own.auth.close();
    expect(await own.auth.passwordPolicy.faultsIn({ password: BREACHED })).toEqual([]);
    expect(own.log()).toContain('a password was set without this check');
  });

  it('does not prevent new passwords when it becomes unreadable; this is logged and counted', async () => {
    const path = await listOf('damaged.list', `${BREACHED}\n`);
    const own = await serviceForThisTest({ env: { PASSWORD_BREACH_LIST: path } });
    const { length } = await readFile(path);
    const file = await open(path, 'r+');
    await file.truncate(4096);
    await file.truncate(length);
    await file.close();
    const body = { email: 'new@example.com', password: BREACHED, fullName: 'Ann' };
    expect((await own.api('POST', '/auth/register', { body })).status).toBe(201);
    const lines = own
      .log()
      .split('\n')
      .filter((line) => line.includes('PASSWORD_BREACH_LIST'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('is damaged');
    expect(lines[0]).not.toContain('owls');
    expect(await own.auth.metrics.text()).toContain(
      'latchkey_breached_password_lookups_total{outcome="failed"} 1',
    );
  });

  it('is checked by the doctor, from its first to its last block', async () => {
    const statusOf = async (path: string, id = 'machine.breach_list') => {
      const inspection = inspectSettings({ source: { PASSWORD_BREACH_LIST: path } });
      return (await diagnose({ inspection })).find((report) => report.id === id);
    };
    expect(await statusOf(list)).toMatchObject({ status: 'ok', found: `1 entries in ${list}` });
    expect(await statusOf(list, 'machine.breach_list_age')).toMatchObject({ status: 'ok' });
    const cut = join(folder, 'cut.list');
    await writeFile(cut, (await readFile(list)).subarray(0, -4096));
    expect(await statusOf(cut)).toMatchObject({
      status: 'error',
      found: expect.stringContaining('it is not complete') as string,
    });
  });
});

it('a password that production would refuse is accepted outside production, and one line of the log says why', async () => {
  const body = { email: 'weak@example.com', password: 'Summer2024', fullName: 'Ann' };
  expect((await service.api('POST', '/auth/register', { body })).status).toBe(201);
  const lines = service
    .log()
    .split('\n')
    .filter((line) => line.includes('production refuses this password (PASSWORD_BLOCKLIST)'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('must not be a common word with digits or punctuation added');
  expect(lines[0]).not.toMatch(/summer/i);
});

describe('a file that is no list', () => {
  const settingsOf = (path: string) => ({
    APP_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    PASSWORD_BREACH_LIST: path,
  });

  it.each([
    ['that does not exist', () => Promise.resolve(join(folder, 'nowhere.list')), 'does not exist'],
    ['of another kind', () => Promise.resolve(join(folder, 'breached.list.txt')), 'is not a list made by'],
    [
      'that was cut',
      async () => {
        const path = join(folder, 'half.list');
        await writeFile(path, (await readFile(list)).subarray(0, 20_000));
        return path;
      },
      'has 20000 bytes in place of',
    ],
  ])('%s is refused by createAuth before the database is used', async (_what, pathOf, reason) => {
    const error: unknown = await createAuth(readSettings(settingsOf(await pathOf()))).catch(
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(SettingsError);
    if (error instanceof SettingsError) {
      expect(error.faults).toMatchObject([{ name: 'PASSWORD_BREACH_LIST' }]);
      expect(error.faults[0]?.found).toContain(reason);
    }
  });

  it('ends the start of the service with the message of a wrong setting', async () => {
    const started = await launchService({ env: settingsOf(join(folder, 'nowhere.list')) });
    expect(await started.exited).toMatchObject({ code: 1 });
    expect(started.output()).toContain('1 setting is missing or wrong:');
    expect(started.output()).toContain('to fix    make it with: latchkey passwords build-list');
  });

  it('makes commands fail that set a password, and no others', async () => {
    const user = await service.createUser();
    const env = { PASSWORD_BREACH_LIST: join(folder, 'nowhere.list') };
    const elsewhere = new OperatorClient(service, env);
    expect(await elsewhere.run(['users', 'show', user.email])).toMatchObject({ code: 0 });
    const args = ['users', 'set-password', user.email, '--password-stdin', '--yes'];
    const { code, stderr } = await elsewhere.run(args, UNLISTED);
    expect(code).toBe(1);
    expect(stderr).toContain('nowhere.list, which does not exist');
    await service.signIn(user);
  });
});
