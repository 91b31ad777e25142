import { networkInterfaces } from 'node:os';
import { beforeAll, afterAll, beforeEach, describe, expect, it } from 'vitest';
import { firstRunOf } from '@latchkey/pages/internal';
import { ApiClient } from '../support/api-client.js';
import { ON_THE_SERVER } from '../support/binding.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const PATH = '/auth/first-administrator';
const PAGE = '/first-administrator';
const PASSWORD = 'the first horse of all';
const BROWSER = { accept: 'text/html' };
const NOTICE = 'There is no administrator yet.';
const PRODUCTION = {
  APP_ENV: 'production',
  AUTH_BASE_URL: 'https://auth.example.com',
  REDIS_URL: 'memory:',
  AUTH_WEB_FORCE_HTTPS: 'false',
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.sql('DELETE FROM users');
});

const tokenOf = ({ auth }: TestService): string =>
  new URL(firstRunOf(auth).link(1)).searchParams.get('token') ?? '';

const bodyFor = (on: TestService, more: Record<string, unknown> = {}) => ({
  email: 'ada@example.com',
  fullName: 'Ada Lovelace',
  password: PASSWORD,
  token: tokenOf(on),
  ...more,
});

/** Sends the form. The route is in no document, so its responses are not compared with one. */
async function create(
  more: Record<string, unknown> = {},
  { on = service, headers = {} }: { on?: TestService; headers?: Record<string, string> } = {},
) {
  const accept = 'application/problem+json, application/json';
  const { status, text } = await on.client.send('POST', PATH, {
    body: bodyFor(on, more),
    headers: { accept, ...headers },
  });
  const { data, code, errors } = JSON.parse(text) as {
    data?: { email: string };
    code?: string;
    errors?: { pointer: string }[];
  };
  return { status, email: data?.email, code, fields: errors };
}

const superadmins = async (): Promise<unknown[]> =>
  (await service.sql(`SELECT email FROM users WHERE global_role = 'PLATFORM_SUPERADMIN'`)).map(
    ({ email }) => email,
  );

describe.runIf(ON_THE_SERVER)('the first administrator', () => {
  it('the link creates a superadmin who can sign in, with the audit row of the command', async () => {
    expect(await create()).toMatchObject({ status: 201, email: 'ada@example.com' });
    expect(
      await service.sql(
        'SELECT event, outcome, details FROM auth_audit_logs ORDER BY occurred_at DESC LIMIT 1',
      ),
    ).toMatchObject([
      {
        event: 'user_created',
        outcome: 'success',
        details: { globalRole: 'PLATFORM_SUPERADMIN', approvalStatus: 'APPROVED', bootstrap: true },
      },
    ]);
    await service.signIn({ email: 'ada@example.com', password: PASSWORD });
  });

  it('the link works once', async () => {
    expect((await create()).status).toBe(201);
    expect(await create({ email: 'eve@example.com' })).toMatchObject({ status: 409, code: 'conflict' });
    expect(await superadmins()).toEqual(['ada@example.com']);
  });

  it('the link creates no one while there is a superadmin from elsewhere', async () => {
    await service.createUser({ email: 'ruth@example.com', role: 'PLATFORM_SUPERADMIN' });
    expect((await create()).status).toBe(409);
    expect(await superadmins()).toEqual(['ruth@example.com']);
  });

  it('of forms that are sent at once, also with different emails, one creates a superadmin', async () => {
    for (let round = 0; round < 5; round++) {
      await service.sql('DELETE FROM users');
      const outcomes = await Promise.all([1, 2, 3, 4].map((n) => create({ email: `first${n}@example.com` })));
      expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      expect(await superadmins()).toHaveLength(1);
      expect(await service.sql('SELECT id FROM users')).toHaveLength(1);
    }
  });

  it.each([
    ['a wrong text', { token: 'x'.repeat(43) }],
    ['an empty text', { token: '' }],
    ['nothing', { token: undefined }],
  ])('a form with %s as the token creates no one', async (_what, more) => {
    const { status, code, fields } = await create(more);
    expect({ status, code }).toEqual({ status: 400, code: 'validation_error' });
    expect(fields).toMatchObject([{ pointer: '/token' }]);
    expect(await superadmins()).toEqual([]);
  });

  it.each([
    ['no password', { password: undefined }, '/password'],
    ['a weak password', { password: 'short' }, '/password'],
    ['no email', { email: 'ada' }, '/email'],
  ])('a form with %s creates no one', async (_what, more, pointer) => {
    expect(await create(more)).toMatchObject({ status: 400, fields: [{ pointer }] });
    expect(await superadmins()).toEqual([]);
  });

  it('a form with the email of a user leaves that user unchanged', async () => {
    await service.createUser({ email: 'ada@example.com' });
    expect(await create()).toMatchObject({ status: 409 });
    expect(await superadmins()).toEqual([]);
  });

  it('the token of another process creates no one', async () => {
    const other = await serviceForThisTest({ databaseUrl: service.databaseUrl });
    expect(await create({ token: tokenOf(other) })).toMatchObject({ status: 400 });
    expect(await superadmins()).toEqual([]);
  });

  it.each([
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { host: 'evil.example.net' },
  ])('page, form and notices do not exist for a request with %j', async (headers) => {
    expect(await create({}, { headers })).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    const open = (path: string) => service.client.send('GET', path, { headers: { ...BROWSER, ...headers } });
    expect((await open(PAGE)).status).toBe(404);
    for (const path of ['/login', '/register']) expect((await open(path)).text).not.toContain(NOTICE);
    expect(await superadmins()).toEqual([]);
  });

  it('page and form do not exist in production, and no page says that there is no superadmin', async () => {
    const on = await serviceForThisTest({ env: PRODUCTION, smtp: true });
    expect(await create({}, { on })).toMatchObject({ status: 404, code: 'not_found' });
    expect((await on.client.send('GET', PAGE, { headers: BROWSER })).status).toBe(404);
    for (const path of ['/login', '/register'])
      expect((await on.client.send('GET', path, { headers: BROWSER })).text).not.toContain(NOTICE);
    expect(await on.sql('SELECT id FROM users')).toEqual([]);
    await waitUntil(() => on.log().includes('latchkey bootstrap'), { what: 'the hint' });
    expect(on.log()).not.toContain('?token=');
  });

  it('the start prints the link while there is no superadmin, and only then', async () => {
    const fresh = await serviceForThisTest();
    await waitUntil(() => fresh.log().includes(`${PAGE}?token=`), { what: 'the link' });
    expect(fresh.log()).toContain(
      `Create the first administrator: ${fresh.url.replace('127.0.0.1', 'localhost')}${PAGE}?token=${tokenOf(fresh)}`,
    );
    await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const later = await serviceForThisTest({ databaseUrl: service.databaseUrl });
    await later.api('GET', '/ready');
    expect(later.log()).not.toContain(PAGE);
  });

  it('start, sign-in and registration page lead on while there is no superadmin', async () => {
    const fresh = await serviceForThisTest();
    const open = async (path: string, language = 'en') =>
      (await fresh.client.send('GET', path, { headers: { ...BROWSER, 'accept-language': language } })).text;
    expect(await open('/')).toContain('<h2 id="first-run">Create the first administrator</h2>');
    for (const path of ['/login', '/register']) {
      expect(await open(path)).toContain(NOTICE);
      expect(await open(path, 'de')).toContain('Es gibt noch kein Administrationskonto.');
    }
    for (const path of ['/', '/login', '/register']) expect(await open(path)).not.toContain(tokenOf(fresh));
    await fresh.createUser({ role: 'PLATFORM_SUPERADMIN' });
    expect(await open('/')).not.toContain('first-run');
    for (const path of ['/login', '/register']) expect(await open(path)).not.toContain(NOTICE);
    expect(await open(PAGE)).toContain('data-needed="false"');
  });
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

it.runIf(ON_THE_SERVER && outside !== undefined)('the form does not exist for another machine', async () => {
  const on = await serviceForThisTest({ env: { HOST: '0.0.0.0' } });
  const stranger = new ApiClient(on.url.replace('127.0.0.1', outside ?? ''));
  const { status } = await stranger.send('POST', PATH, {
    body: bodyFor(on),
    headers: { host: 'localhost' },
  });
  expect(status).toBe(404);
  expect(await on.sql('SELECT id FROM users')).toEqual([]);
});
