import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../support/open-connection.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const BAD_INPUT = { status: 400, code: 'validation_error' };
const OK = { status: 200, data: { status: 'ok' } };

let service: TestService;
let resets: ResetClient;
beforeAll(async () => {
  service = await startTestService({ smtp: true, env: { AUTH_BASE_URL: 'https://auth.example.org' } });
  resets = new ResetClient(service);
});
afterAll(() => service.stop());

describe('asking for a reset', () => {
  it('a reset request sends one mail whose link leads to the public address, whatever host the request names', async () => {
    const { email } = await service.createUser();
    const body = { email: ` ${email.toUpperCase()} ` };
    const headers = {
      host: 'evil.example.net',
      'x-forwarded-host': 'evil.example.net',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example.net',
    };
    expect(await service.api('POST', '/auth/password-reset/request', { body, headers })).toMatchObject(OK);
    const mail = await service.mailTo(email);
    expect(mail.link).toMatch(/^https:\/\/auth\.example\.org\/reset-password\?token=lkp_[A-Za-z0-9_-]{43}$/);
    expect(mail.text).not.toContain('evil');
    expect(mail.text).toContain('30 minutes');
    await resets.allMailIsHandled();
    expect(service.mailsTo(email)).toHaveLength(1);
  });

  it('a reset request answers the same for an unknown email, and sends nothing', async () => {
    const user = await service.createUser();
    const [known, unknown] = [await resets.request(user.email), await resets.request('no-user@example.com')];
    expect(unknown.text).toBe(known.text);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers));
    await resets.allMailIsHandled();
    expect(service.mailsTo('no-user@example.com')).toEqual([]);
  });

  it('a reset request does the same for a known email, an unknown one and one that gets no mail: the user is looked up later', async () => {
    const [known, inactive] = [await service.createUser(), await service.createUser({ active: false })];
    const emails = [known.email, inactive.email, 'stranger@example.com'];
    await resets.allMailIsHandled();
    await whileLocked('LOCK TABLE password_reset_tokens, users IN EXCLUSIVE MODE', async () => {
      for (const email of emails) expect(await resets.request(email)).toMatchObject(OK);
      const queued = await service.sql(
        'SELECT kind, recipient FROM mail_outbox WHERE recipient = ANY($1) ORDER BY id',
        [emails],
      );
      expect(queued).toEqual(emails.map((recipient) => ({ kind: 'password_reset', recipient })));
    });
    await resets.allMailIsHandled();
    expect(emails.map((email) => service.mailsTo(email).length)).toEqual([1, 0, 0]);
  });

  it.each([
    ['pending', { approval: 'PENDING' }],
    ['rejected', { approval: 'REJECTED' }],
    ['deactivated', { active: false }],
  ] as const)('a reset request sends nothing to a %s user', async (_state, wanted) => {
    const user = await service.createUser(wanted);
    const before = await resets.stateOf(user.id);
    expect(await resets.request(user.email)).toMatchObject(OK);
    await resets.allMailIsHandled();
    expect(service.mailsTo(user.email)).toEqual([]);
    expect(await resets.stateOf(user.id)).toEqual(before);
  });

  it('a reset request sends at most three mails at once to one account, also when made many times simultaneously', async () => {
    const user = await service.createUser();
    const answers = await Promise.all(Array.from({ length: 8 }, () => resets.request(user.email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await resets.allMailIsHandled();
    expect(service.mailsTo(user.email)).toHaveLength(3);
  });

  it('a reset request knows the kinds of account that a login knows', async () => {
    const { email } = await service.createUser();
    for (const accountType of ['', 'internal', 'auto']) {
      expect(await resets.request(email, { accountType })).toMatchObject(OK);
    }
    expect(await resets.request(email, { accountType: 'vendor' })).toMatchObject({ status: 501 });
    expect(await resets.request(email, { accountType: 'admin' })).toMatchObject(BAD_INPUT);
  });

  it('a reset request without an email address in its body is refused, and writes nothing', async () => {
    const { count } = await auditRows('password_reset_requested');
    for (const body of [{}, { email: 'x' }, { email: 7 }, { email: null }, { email: ['a@example.com'] }]) {
      const answer = await service.api('POST', '/auth/password-reset/request', { body });
      expect(answer).toMatchObject(BAD_INPUT);
      expect(answer.message).toContain('email');
    }
    expect(await auditRows('password_reset_requested')).toEqual({ count });
  });
});

it('a mail that could not be sent for a while arrives with a link that works', async () => {
  const delayed = await serviceForThisTest({ smtp: true });
  const user = await delayed.createUser();
  if (delayed.smtp) delayed.smtp.refuseWith = 450;
  expect(await new ResetClient(delayed).request(user.email)).toMatchObject(OK);
  const failed = `SELECT 1 FROM mail_outbox WHERE last_error IS NOT NULL`;
  await waitUntil(async () => (await delayed.sql(failed)).length > 0, { what: 'a failed attempt' });
  if (delayed.smtp) delayed.smtp.refuseWith = undefined;
  await delayed.sql(
    `UPDATE password_reset_tokens SET created_at = now() - interval '50 minutes', expires_at = now() - interval '20 minutes'`,
  );
  // Another attempt at the same mail does not count as another mail.
  await delayed.sql(`UPDATE users SET reset_mails_full_at = now() + interval '1 hour'`);
  await delayed.sql('UPDATE mail_outbox SET next_attempt_at = now()');
  const { token } = await delayed.mailTo(user.email);
  expect(await new ResetClient(delayed).confirm(token)).toMatchObject(OK);
});

async function auditRows(event: string): Promise<Record<string, unknown>> {
  const [row] = await service.sql('SELECT count(*) FROM auth_audit_logs WHERE event = $1', [event]);
  return row ?? {};
}

/** Runs the work while a transaction of our own holds a lock. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  const client = await openConnection(service.databaseUrl);
  try {
    await client.query('BEGIN');
    await client.query(lock);
    await work();
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
