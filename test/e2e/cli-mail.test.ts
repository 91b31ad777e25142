import { userInfo } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { OutboxMailView, SmtpTestOutcome } from '@latchkey/operations';
import { freePort } from '../../tools/shared/free-port.mjs';
import {
  describeOnTerminal,
  runCli,
  runCliHere,
  runCliOnTerminal,
  type CliResult,
} from '../support/cli-process.js';
import { localCertificate } from '../support/local-certificate.js';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitUntil } from '../support/wait-until.js';

const UNKNOWN_ID = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';

let service: TestService;
let sink: SmtpSink;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService({ smtp: true });
  if (!service.smtp) throw new Error('no mail server');
  sink = service.smtp;
  env = { DATABASE_URL: service.databaseUrl, SMTP_URL: sink.url, MAIL_FROM: 'auth@example.com' };
});

afterAll(() => service.stop());

beforeEach(async () => {
  sink.refuseWith = undefined;
  await service.sql('TRUNCATE mail_outbox');
});

const latchkey = (...args: string[]): Promise<CliResult> => runCliHere(['mail', ...args], { env });

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await latchkey(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

const outbox = (...args: string[]) => json<OutboxMailView[]>('outbox', ...args);

/** A user whose mail the mail server has refused for good. */
async function refusedUser(): Promise<{ email: string; mailId: string }> {
  const { email } = await service.createUser();
  sink.refuseWith = 550;
  await new ResetClient(service).request(email);
  const [mail] = await waitUntil(
    async () => {
      const found = await outbox('--to', email, '--state', 'failed');
      return found.length > 0 ? found : undefined;
    },
    { what: 'a refused mail' },
  );
  sink.refuseWith = undefined;
  return { email, mailId: mail?.id ?? '' };
}

describe('latchkey mail outbox', () => {
  it('outbox shows the state of mail, and neither its text nor its link', async () => {
    const { email, mailId } = await refusedUser();
    const [mail, ...others] = await outbox('--to', email.toUpperCase());
    expect(others).toEqual([]);
    expect(mail).toEqual({
      id: mailId,
      kind: 'password_reset',
      recipient: email,
      state: 'failed',
      attempts: 1,
      createdAt: expect.stringMatching(/Z$/) as string,
      nextAttemptAt: null,
      sentAt: null,
      lastError: expect.stringContaining('550') as string,
    });
    const { stdout, stderr } = await latchkey('outbox', '--state', 'failed', '--kind', 'password_reset');
    expect(stdout).toMatch(
      new RegExp(`^${mailId}\\tpassword_reset\\t${email}\\tfailed\\t1\\t\\S+\\t\\t\\t.*550`),
    );
    expect(stdout + stderr).not.toMatch(/lkp_|https?:/);
    expect(await latchkey('outbox', '--quiet')).toEqual({ code: 0, stdout: `${mailId}\n`, stderr: '' });
    expect(await outbox('--state', 'sent')).toEqual([]);
  });

  it('outbox reports that no mail is sent', async () => {
    const silent = { DATABASE_URL: service.databaseUrl, APP_ENV: 'production', LATCHKEY_OPERATOR: 'ann' };
    const sentence = 'SMTP_URL and MAIL_FROM are not set.';
    expect(await runCliHere(['mail', 'outbox'], { env: silent })).toEqual({
      code: 0,
      stdout: '',
      stderr: `No mail is queued or sent: ${sentence}\n`,
    });
    const retried = await runCliHere(['mail', 'retry', '--all-failed', '--yes'], { env: silent });
    expect(retried).toMatchObject({ code: 0, stdout: 'There is no failed mail.\n' });
    const { mailId } = await refusedUser();
    const refused = await runCliHere(['mail', 'retry', mailId], { env: silent });
    expect(refused).toMatchObject({ code: 1, stderr: `error: No mail is sent: ${sentence} Set both.\n` });
  });
});

describe('latchkey mail retry', () => {
  it('retry sends a mail again, with a working link', async () => {
    const { email, mailId } = await refusedUser();
    expect(await latchkey('retry', mailId)).toEqual({
      code: 0,
      stdout: '1 mail is due now; the service sends it.\n',
      stderr: '',
    });
    const { token } = await service.mailTo(email);
    expect((await new ResetClient(service).confirm(token)).status).toBe(200);
    await waitUntil(async () => (await outbox('--to', email, '--state', 'sent')).length > 0, {
      what: 'a sent mail',
    });
    const audit = await service.sql(
      `SELECT actor, details FROM auth_audit_logs WHERE event = 'mail_retried'`,
    );
    expect(audit).toContainEqual({ actor: `cli:${userInfo().username}`, details: { mailIds: [mailId] } });
  });

  it('retry --all-failed sends all failed mail after confirmation', async () => {
    const users = [await refusedUser(), await refusedUser()];
    const asked = await latchkey('retry', '--all-failed');
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('--yes');
    expect(await json('retry', '--all-failed', '--yes')).toEqual({ retried: 2 });
    for (const { email } of users) await service.mailTo(email);
    expect(await latchkey('retry', '--all-failed', '--yes', '--quiet')).toMatchObject({
      code: 0,
      stdout: '0\n',
    });
  });

  it('retry of a sent mail is rejected', async () => {
    const { email } = await service.createUser();
    await new ResetClient(service).request(email);
    await service.mailTo(email);
    const [mail] = await waitUntil(
      async () => {
        const found = await outbox('--to', email, '--state', 'sent');
        return found.length > 0 ? found : undefined;
      },
      { what: 'a sent mail' },
    );
    const { code, stderr } = await latchkey('retry', mail?.id ?? '');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: ${mail?.id ?? ''}: was sent or skipped, or is no mail.\n`,
    });
  });

  it.each([
    [['retry'], 2, '<mails> or --all-failed is missing.'],
    [['retry', UNKNOWN_ID], 3, `There is no mail ${UNKNOWN_ID}.`],
    [['retry', 'x'], 2, '"x" is too short to name anything: give at least 4 characters.'],
    [['retry', '--all-failed', UNKNOWN_ID], 2, 'Give ids or --all-failed, not both.'],
    [['outbox', '--state', 'lost'], 2, 'Allowed choices are'],
  ])('%j exits with %i', async (args, code, sentence) => {
    const result = await latchkey(...args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(sentence);
  });
});

describe('latchkey mail test', () => {
  it('mail test sends a mail through the mail server, without a database', async () => {
    const { DATABASE_URL: _without, ...mailEnv } = env;
    const { code, stdout, stderr } = await runCli(['mail', 'test', 'Operator@Example.com'], { env: mailEnv });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `127.0.0.1:${sink.port} accepted the mail to operator@example.com: 250 OK: message queued\n`,
    );
    expect(sink.messages.at(-1)).toMatchObject({
      to: ['operator@example.com'],
      from: 'auth@example.com',
      subject: 'Test mail of Latchkey',
    });
  });

  it('a rejection is printed with the response and the next step, and completely as JSON', async () => {
    sink.refuseWith = 550;
    expect(await latchkey('test', 'operator@example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: The mail server refused the recipient. Its response: 550 refused by the test\n' +
        'Check the address, and that the server may send to its domain.\n',
    });
    const { code, stdout } = await latchkey('test', 'operator@example.com', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout) as SmtpTestOutcome).toMatchObject({
      server: `127.0.0.1:${sink.port}`,
      isAccepted: false,
      answer: '550 refused by the test',
    });
  });

  it('in production, login and mail are sent after STARTTLS', async () => {
    const { certFile, ...certificate } = localCertificate();
    const secure = await startSmtpSink(0, certificate);
    onTestFinished(() => secure.stop());
    const production = {
      APP_ENV: 'production',
      MAIL_FROM: 'auth@example.com',
      SMTP_URL: `smtp://ada:hunter2-secret@localhost:${secure.port}?tls=required`,
    };
    const mailTest = ['mail', 'test', 'operator@example.com'];
    const refused = await runCliHere(mailTest, { env: production });
    expect([refused.code, secure.passwords]).toEqual([1, []]);
    expect(refused.stderr).toContain('cannot be secured');
    const trusting = { ...production, NODE_EXTRA_CA_CERTS: certFile };
    const { code, stderr } = await runCli(mailTest, { env: trusting });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(secure.passwords).toEqual(['hunter2-secret']);
    expect(secure.messages).toMatchObject([{ to: ['operator@example.com'], isEncrypted: true }]);
  });

  it('in production, neither login nor mail is sent to another machine without STARTTLS', async () => {
    const clear = await startSmtpSink();
    onTestFinished(() => clear.stop());
    // An address of this machine that does not say so.
    const url = `smtp://ada:hunter2-secret@0.0.0.0:${clear.port}`;
    const send = (env: Record<string, string>) =>
      runCliHere(['mail', 'test', 'operator@example.com'], {
        env: { APP_ENV: 'production', MAIL_FROM: 'auth@example.com', ...env },
      });
    const { code, stderr } = await send({ SMTP_URL: url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/does not offer STARTTLS, so nothing was sent to it/);
    expect(stderr).toContain('?tls=none');
    expect([clear.passwords, clear.messages]).toEqual([[], []]);
    expect((await send({ SMTP_URL: `${url}?tls=none` })).code).toBe(0);
    expect(clear.messages).toHaveLength(1);
  });

  it('an unavailable mail server is reported without the password', async () => {
    const SMTP_URL = `smtp://ada:hunter2-secret@127.0.0.1:${await freePort()}`;
    const { code, stderr } = await runCliHere(['mail', 'test', 'operator@example.com'], {
      env: { ...env, SMTP_URL },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: Nothing listens at 127\.0\.0\.1:\d+\.\nCheck host and port in SMTP_URL/);
    expect(stderr).not.toContain('hunter2-secret');
  });

  it.each([
    [{ MAIL_FROM: 'auth@example.com' }, 'SMTP_URL is not set. Mail is kept at /dev/mail until then.'],
    [{ APP_ENV: 'production' }, 'SMTP_URL and MAIL_FROM are not set. No mail is queued until then.'],
  ])('mail test without a mail server, as in %j, names the missing setting', async (settings, sentence) => {
    const { code, stderr } = await runCliHere(['mail', 'test', 'operator@example.com'], { env: settings });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: There is no mail server: ${sentence}\n` });
  });

  it.each([
    [['test'], '<address> is missing.'],
    [['test', 'operator'], '"operator" is not an email address.'],
  ])('%j is a usage error', async (args, sentence) => {
    const { code, stderr } = await latchkey(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describeOnTerminal('latchkey mail on a terminal', () => {
  it('retry offers the failed mail', async () => {
    const { email } = await refusedUser();
    const react = (shown: string) => (shown.includes('Which mail?') ? '\r' : undefined);
    const { code, stdout } = await runCliOnTerminal(['mail', 'retry'], react, { env });
    expect(stdout).toContain(`${email}  password_reset`);
    expect(stdout).toContain('1 mail is due now');
    expect(code).toBe(0);
    await service.mailTo(email);
  });
});
