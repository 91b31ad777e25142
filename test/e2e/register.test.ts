import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitUntil } from '../support/wait-until.js';

let sink: SmtpSink;
let service: TestService;
beforeAll(async () => {
  sink = await startSmtpSink();
  service = await startTestService({
    env: { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@example.com' },
    realPasswordCost: true,
  });
});
afterAll(async () => {
  await service.stop();
  await sink.stop();
});

const UUID = /^[0-9a-f-]{36}$/;
const PASSWORD = 'a quiet river at dawn';
let counter = 0;
const freshEmail = () => `newcomer-${++counter}@example.com`;
const valid = (fields: Record<string, unknown> = {}) => ({
  email: freshEmail(),
  password: PASSWORD,
  fullName: 'Grace Hopper',
  ...fields,
});
const register = (fields?: Record<string, unknown>, at = service) =>
  at.api('POST', '/auth/register', { body: valid(fields) });

const stored = async (email: string) => {
  const rows = await service.sql('SELECT * FROM users WHERE email = $1', [email]);
  return rows[0];
};

describe('a registration', () => {
  it('a registration leaves a pending, inactive user, sends a mail and returns no tokens', async () => {
    const email = freshEmail();
    const answer = await register({ email });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.data).toEqual({ email, status: 'pending' });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(await stored(email)).toMatchObject({
      approval_status: 'PENDING',
      is_active: false,
      global_role: 'NONE',
      auth_provider: 'password',
      full_name: 'Grace Hopper',
    });
    const mail = await sink.waitForMessage(({ to }) => to.includes(email));
    expect(mail.subject).toBe('Confirm your email address for Latchkey');
    expect(mail.text).toContain('waiting for approval');
  });

  it('a registration does not let a user choose their own role, approval or activity', async () => {
    const email = freshEmail();
    const input = {
      globalRole: 'PLATFORM_SUPERADMIN',
      approvalStatus: 'APPROVED',
      isActive: true,
      tokenVersion: 9,
    };
    expect((await register({ email, ...input })).status).toBe(201);
    expect(await stored(email)).toMatchObject({
      global_role: 'NONE',
      approval_status: 'PENDING',
      is_active: false,
      token_version: 1,
    });
  });

  it('a registration stores the password as an Argon2id hash of at least the recommended cost', async () => {
    const email = freshEmail();
    await register({ email });
    expect((await stored(email))?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('a registration lets the user in once staff have approved it, and returns the state before', async () => {
    const email = freshEmail();
    await register({ email });
    const signIn = () => service.api('POST', '/auth/login', { body: { email, password: PASSWORD } });
    expect(await signIn()).toMatchObject({ status: 403, code: 'pending_approval' });
    const id = String((await stored(email))?.id);
    const approval = { approvalStatus: 'APPROVED', isActive: true };
    await service.machine('PATCH', `/internal/admin/users/${id}`, { body: approval });
    expect(await signIn()).toMatchObject({ status: 200 });
  });

  it('a registration may leave phone, dial code and picture empty, which counts as left out', async () => {
    const email = freshEmail();
    const answer = await register({ email, phoneNumber: '', phonePrefix: '', profilePictureUrl: '' });
    expect(answer.status).toBe(201);
    const unset = { phone_number: null, phone_prefix: null, profile_picture_url: null };
    expect(await stored(email)).toMatchObject(unset);
  });

  it('a registration stores name, phone, dial code and picture', async () => {
    const email = freshEmail();
    const contact = {
      phonePrefix: '+49',
      phoneNumber: '3012345',
      profilePictureUrl: 'https://example.com/a.png',
    };
    expect((await register({ email, fullName: '  Zoë 李 👩‍🚀 ', ...contact })).status).toBe(201);
    expect(await stored(email)).toMatchObject({
      full_name: 'Zoë 李 👩‍🚀',
      phone_prefix: '+49',
      phone_number: '3012345',
      profile_picture_url: 'https://example.com/a.png',
    });
  });

  it.each(['google', 'microsoft', 'sso', 'other'])(
    'a registration keeps the reserved provider %s as given',
    async (authProvider) => {
      const email = freshEmail();
      expect((await register({ email, authProvider })).status).toBe(201);
      expect(await stored(email)).toMatchObject({ auth_provider: authProvider });
    },
  );
});

it('the mail of a registration contains no input of its sender', async () => {
  const email = freshEmail();
  const fullName = 'customer, your account is locked. Confirm at https://evil.example/login';
  expect((await register({ email, fullName })).status).toBe(201);
  const { subject, text } = await sink.waitForMessage(({ to }) => to.includes(email));
  expect(text).toMatch(/^Hello,\n/);
  expect(subject + text).not.toMatch(/evil|locked|customer/);
  expect(await service.sql('SELECT payload FROM mail_outbox WHERE recipient = $1', [email])).toEqual([
    { payload: { verificationId: expect.stringMatching(UUID) as string } },
  ]);
});

describe('a taken email', () => {
  it.each(['PENDING', 'APPROVED', 'REJECTED'] as const)(
    'an email of a user who is %s is a conflict',
    async (approval) => {
      const { email } = await service.createUser({ approval });
      expect(await register({ email })).toMatchObject({ status: 409, code: 'conflict' });
    },
  );

  it('a taken email is the same in capitals and with blanks around it', async () => {
    const { email } = await service.createUser();
    const answer = await register({ email: `  ${email.toUpperCase()}\t` });
    expect(answer).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('an email goes to exactly one of several simultaneous registrations', async () => {
    const email = freshEmail();
    const spellings = [email, email.toUpperCase(), ` ${email}`, email.replace('n', 'N')];
    const answers = await Promise.all(spellings.map((spelling) => register({ email: spelling })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});

describe('refused registrations', () => {
  it.each([
    ['a missing name', { fullName: undefined }],
    ['an empty name', { fullName: '' }],
    ['a name of blanks', { fullName: '   ' }],
    ['a name of 201 characters', { fullName: 'n'.repeat(201) }],
    ['a name with a NUL', { fullName: 'a\0b' }],
    ['a name that is no string', { fullName: ['Grace'] }],
    ['a missing password', { password: undefined }],
    ['a password of 7 characters', { password: '1234567' }],
    ['a password of 7 characters outside the basic plane', { password: '😀'.repeat(7) }],
    ['a password of 257 characters', { password: 'p'.repeat(257) }],
    ['a password of more than 1,024 bytes', { password: '😀'.repeat(256) + 'é' }],
    ['a password with a NUL', { password: 'abcdefgh\0' }],
    ['a password that is a number', { password: 12345678 }],
    ['an unknown provider', { authProvider: 'facebook' }],
    ['a provider that is null', { authProvider: null }],
    ['a phone number with letters', { phoneNumber: '12ab34' }],
    ['a phone number with foreign digits', { phoneNumber: '١٢٣٤٥' }],
    ['a dial code without plus', { phonePrefix: '49' }],
    ['a country code as dial code', { phonePrefix: 'DE' }],
    ['a picture that is a script', { profilePictureUrl: 'javascript:alert(1)' }],
    ['a relative picture', { profilePictureUrl: '/a.png' }],
    ['a picture with credentials', { profilePictureUrl: 'https://me:secret@example.com/a.png' }],
  ])('a registration is refused for %s', async (_what, fields) => {
    const answer = await register(fields);
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toContain(Object.keys(fields)[0]);
  });

  it.each([
    'x',
    'a@',
    '@b.example',
    'a@b',
    'a@b..example',
    '"a b"@c.example',
    'a@[127.0.0.1]',
    'ü@x.example',
    '.a@example.com',
    'a..b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'a@-example.com',
    `${'l'.repeat(65)}@example.com`,
    `a@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(10)}.example`,
    null,
    { $ne: 1 },
  ])('a registration is refused for the email %j', async (email) => {
    expect(await register({ email })).toMatchObject({ status: 400, code: 'validation_error' });
  });
});

describe('accepted registrations', () => {
  it.each([
    ['a password of 8 characters', { password: '12345678' }],
    ['a password of 8 characters outside the basic plane', { password: '😀'.repeat(8) }],
    ['a password of 256 characters', { password: 'p'.repeat(256) }],
    ['a password of blanks', { password: '          ' }],
    ['a name of 200 characters', { fullName: 'n'.repeat(200) }],
  ])('a registration is accepted with %s', async (_what, fields) => {
    expect((await register(fields)).status).toBe(201);
  });

  it.each([
    ['Mixed.Case+tag@EXAMPLE.com', 'mixed.case+tag@example.com'],
    ['person@münchen.example', 'person@xn--mnchen-3ya.example'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
  ])('a registration is accepted with the email %s, kept in its canonical form', async (email, canonical) => {
    expect((await register({ email })).data).toEqual({ email: canonical, status: 'pending' });
    expect(await stored(canonical)).toBeDefined();
  });
});

describe('a service with the blocklist on', () => {
  let strict: TestService;
  beforeAll(async () => {
    strict = await startTestService({ env: { PASSWORD_BLOCKLIST: 'on', PASSWORD_MIN_LENGTH: '10' } });
  });
  afterAll(() => strict.stop());

  it.each([
    ['a common password', { password: 'password123' }],
    ['a common password in capitals', { password: 'PassWord123' }],
    [
      'the local part of the email',
      { email: 'extraordinary.name@example.com', password: 'Extraordinary.Name' },
    ],
    ['fewer characters than the setting asks for', { password: 'zqvw81kd7' }],
  ])('a registration with %s is refused', async (_what, fields) => {
    const answer = await register(fields, strict);
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toContain('password');
  });

  it('a password that only contains a blocked word is accepted', async () => {
    expect((await register({ password: 'password123 and a river' }, strict)).status).toBe(201);
  });
});

describe('a service with the blocklist on and the default minimum length', () => {
  it('the name of the product is refused', async () => {
    const strict = await serviceForThisTest({ env: { PASSWORD_BLOCKLIST: 'true' } });
    for (const password of ['LatchKey', 'password1']) {
      expect(await register({ password }, strict)).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });
});

describe('registration that is limited to domains', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: {
        PUBLIC_REGISTRATION_ENABLED: 'true',
        REGISTRATION_DOMAINS: 'Example.com, *.example.org, Bücher.example',
        REGISTRATION_BLOCKED_DOMAINS: 'bad.example.org,*.bad.example.org',
      },
    });
  });
  afterAll(() => service.stop());

  const registerAt = (email: string) =>
    service.client.send('POST', '/auth/register', {
      headers: { accept: 'application/problem+json' },
      body: { email, password: PASSWORD, fullName: 'Ann' },
    });

  it.each([
    'a1@example.com',
    'A2@EXAMPLE.COM',
    ' a3@example.com ',
    'a4@eu.example.org',
    'a5@deep.eu.example.org',
    'a6@bücher.example',
    'a7@xn--bcher-kva.example',
  ])('the address %j may register', async (email) => {
    expect((await registerAt(email)).status).toBe(201);
  });

  it.each([
    'b1@example.org',
    'b2@eu.example.com',
    'b3@notexample.com',
    'b4@example.com.evil.example',
    'b5@bad.example.org',
    'b6@BAD.example.org',
    'b7@a.bad.example.org',
    'b8@evilexample.org',
    'b9@bucher.example',
  ])('the address %j may not, and nothing is written', async (email) => {
    const answer = await registerAt(email);
    expect(answer.status, answer.text).toBe(403);
    expect(answer.body).toMatchObject({ code: 'forbidden', reason: 'email_not_allowed' });
    const canonical = email.toLowerCase();
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [canonical])).toEqual([]);
  });

  it('an address that is blocked gets the same answer whether it has an account or not', async () => {
    const { email } = await service.createUser({ email: 'member@bad.example.org' });
    const [taken, free] = [await registerAt(email), await registerAt('free@bad.example.org')];
    expect(taken.body).toEqual(free.body);
  });

  it('an invitation and staff add users of any domain', async () => {
    const body = { email: 'invited@elsewhere.example', fullName: 'Ann', password: PASSWORD };
    expect((await service.machine('POST', '/internal/admin/users', { body })).status).toBe(201);
  });
});

describe('registration that is switched off', () => {
  it.each(['', 'false', '0'])('registration is refused when the setting is "%s"', async (setting) => {
    const closed = await serviceForThisTest({ env: { PUBLIC_REGISTRATION_ENABLED: setting } });
    const refusal = { status: 403, code: 'registration_disabled' };
    expect(await register({}, closed)).toMatchObject(refusal);
    // The body is not read either.
    expect(await closed.api('POST', '/auth/register', { raw: 'no JSON' })).toMatchObject(refusal);
  });
});

describe('an unavailable mail server', () => {
  it('a registration is answered as usual while the mail server is unavailable, and its mail arrives later', async () => {
    const port = await freePort();
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'no-reply@example.com' };
    const lonely = await serviceForThisTest({ env });
    const email = freshEmail();
    const answer = await register({ email }, lonely);
    expect(answer).toMatchObject({ status: 201, data: { status: 'pending' } });
    const failedOnce = async () => {
      const [row] = await lonely.sql('SELECT * FROM mail_outbox WHERE last_error IS NOT NULL');
      return row;
    };
    expect(await waitUntil(failedOnce, { what: 'a first attempt' })).toMatchObject({ status: 'PENDING' });
    const back = await startSmtpSink(port);
    onTestFinished(() => back.stop());
    // The first retry is 5 s away; a test need not wait that long.
    await lonely.sql('UPDATE mail_outbox SET next_attempt_at = now()');
    const mail = await back.waitForMessage(({ to }) => to.includes(email));
    expect(mail.from).toBe('no-reply@example.com');
  });
});
