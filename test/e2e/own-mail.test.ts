import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { MailRejectedError, type MailToSend, type OwnMail } from '@latchkey/core';
import { createAdministration } from '@latchkey/operations';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { openConnection } from '../support/open-connection.js';
import { startTestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const kits: TestAuth[] = [];
afterEach(async () => {
  for (const kit of kits.splice(0)) await kit.close();
});

interface Line {
  level: string;
  message: string;
  kind?: string;
  reason?: string;
}

/** A kit with these functions, and the lines of its log. */
async function kitWith(
  mail: OwnMail,
  settings: Record<string, string> = {},
): Promise<{ kit: TestAuth; log: Line[] }> {
  const log: Line[] = [];
  const level = (name: string) => (details: object, message: string) =>
    void log.push({ level: name, message, ...details });
  const logger = { debug: () => undefined, info: level('info'), warn: level('warn'), error: level('error') };
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url, mail, settings, logger });
  kits.push(kit);
  return { kit, log };
}

const reset = async (kit: TestAuth): Promise<string> => {
  const { email } = await kit.user();
  await kit.auth.passwordReset.request({ email });
  return email;
};

/** What JavaScript may throw beside errors. */
const [BUSY, NOTHING] = ['busy', undefined] as unknown as [Error, Error];

/** Everything that the database has about mails and links. */
async function storedMails(kit: TestAuth): Promise<string> {
  const client = await openConnection(kit.databaseUrl);
  try {
    const { rows } = await client.query(
      'SELECT (SELECT json_agg(m) FROM mail_outbox m) AS mails, (SELECT json_agg(t) FROM password_reset_tokens t) AS links',
    );
    return JSON.stringify(rows);
  } finally {
    await client.end();
  }
}

const outbox = async (kit: TestAuth, to: string) => (await kit.auth.admin.mail.list({ to })).items[0];

/** Waits for the state of a mail, which is written after the line in the log. @returns the mail. */
async function untilIn(state: string, kit: TestAuth, to: string) {
  await waitUntil(async () => (await outbox(kit, to))?.state === state, { what: `a mail that is ${state}` });
  return outbox(kit, to);
}

describe('mails that the app sends', () => {
  it('go to its function, with an id that stays, and no SMTP is needed', async () => {
    const sent: MailToSend[] = [];
    const { kit } = await kitWith({ send: (mail) => void sent.push(mail) });
    expect(kit.auth.facts.mailTransport).toBe('app');
    expect(kit.auth.inbox).toBeUndefined();
    const email = await reset(kit);
    await waitUntil(() => sent.length > 0, { what: 'the mail' });
    expect(sent).toEqual([
      {
        id: (await outbox(kit, email))?.id,
        to: email,
        kind: 'password_reset',
        locale: 'en',
        subject: expect.stringContaining('password') as string,
        text: expect.stringMatching(/reset-password\?token=lkp_/) as string,
        html: expect.stringContaining('<') as string,
      },
    ]);
    await waitUntil(async () => (await outbox(kit, email))?.state === 'sent', { what: 'the mark' });
  });

  it('are tried again after an error, with a new link, and the log names the function and no link', async () => {
    const sent: MailToSend[] = [];
    const { kit, log } = await kitWith({
      send: (mail) => {
        sent.push(mail);
        if (sent.length === 1) throw new Error(`rejected ${/https?:\S+/.exec(mail.text)?.[0] ?? ''}`);
      },
    });
    const email = await reset(kit);
    await waitUntil(() => log.some(({ reason }) => reason !== undefined), { what: 'the failure' });
    expect(log.find(({ reason }) => reason !== undefined)).toMatchObject({
      level: 'warn',
      kind: 'password_reset',
      reason: 'mail.send failed: rejected [address]',
    });
    expect(await untilIn('retrying', kit, email)).toMatchObject({ attempts: 1 });
    await kit.clock.advance('10s');
    await waitUntil(() => sent.length === 2, { what: 'the next attempt' });
    expect(sent[1]?.id).toBe(sent[0]?.id);
    expect(sent[1]?.text).not.toBe(sent[0]?.text);
    const stored = await storedMails(kit);
    expect(stored).toContain(email);
    for (const secret of sent.map(({ text: body }) => /lkp_[\w-]+/.exec(body)?.[0] ?? ''))
      expect(stored).not.toContain(secret);
  });

  it.each([
    [
      'one with a message that cannot be set',
      () => fetch('http://127.0.0.1:9', { signal: AbortSignal.abort() }),
      'mail.send failed: This operation was aborted',
    ],
    ['one that is frozen', () => Promise.reject(Object.freeze(new Error('no'))), 'mail.send failed: no'],
    [
      'one with a cause',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
      'mail.send failed: fetch failed: connect ECONNREFUSED',
    ],
    ['a text', () => Promise.reject(BUSY), 'mail.send failed: busy'],
    ['nothing', () => Promise.reject(NOTHING), 'mail.send failed: undefined'],
  ])('are tried again after any error: %s', async (_what, send, reason) => {
    const { kit, log } = await kitWith({ send });
    const email = await reset(kit);
    await waitUntil(() => log.some((line) => line.reason !== undefined), { what: 'the failure' });
    expect(log.find((line) => line.reason !== undefined)).toMatchObject({ kind: 'password_reset', reason });
    expect(await untilIn('retrying', kit, email)).toMatchObject({ lastError: reason });
  });

  it('are named once in the log by an error that is thrown again and again', async () => {
    const same = new Error('busy');
    const { kit, log } = await kitWith({ send: () => Promise.reject(same) });
    await reset(kit);
    await reset(kit);
    await waitUntil(() => log.filter((line) => line.reason !== undefined).length > 1, {
      what: 'two failures',
    });
    expect(new Set(log.flatMap((line) => line.reason ?? []))).toEqual(new Set(['mail.send failed: busy']));
    expect(same.message).toBe('busy');
  });

  it('are given up at once after a permanent rejection', async () => {
    const { kit } = await kitWith({
      send: () => Promise.reject(new MailRejectedError('The mailbox does not exist.')),
    });
    const email = await reset(kit);
    await waitUntil(async () => (await outbox(kit, email))?.state === 'failed', { what: 'the end' });
    expect((await outbox(kit, email))?.lastError).toBe('mail.send failed: The mailbox does not exist.');
  });

  it('are given up after a permanent rejection of another copy of the package, too', async () => {
    const rejection = Object.assign(new Error('gone'), { [Symbol.for('latchkey.MailRejectedError')]: true });
    const { kit } = await kitWith({ send: () => Promise.reject(rejection) });
    const email = await reset(kit);
    await waitUntil(async () => (await outbox(kit, email))?.state === 'failed', { what: 'the end' });
  });

  it('are queued by commands without SMTP, if the settings leave mail to the app', async () => {
    const sent: MailToSend[] = [];
    const { kit } = await kitWith({ send: (mail) => void sent.push(mail) }, { MAIL_BY_APP: 'true' });
    const { id, email } = await kit.user();
    const production = { ...kit.auth.settings, environment: 'production' } as const;
    const commands = await createAdministration(production);
    kit.onClose(() => commands.close());
    expect(commands.mail.isDelivered).toBe(true);
    await commands.passwords.sendReset({ kind: 'operator', name: 'alice' }, id);
    await waitUntil(() => sent.length > 0, { what: 'the mail' });
    expect(sent).toMatchObject([{ to: email, kind: 'password_reset' }]);
  });

  it('go to its function in the standalone service, too', async () => {
    const sent: MailToSend[] = [];
    const service = await startTestService({
      env: { MAIL_BY_APP: 'true' },
      extensions: { mail: { send: (mail) => void sent.push(mail) } },
    });
    onTestFinished(() => service.stop());
    const { email } = await service.createUser();
    await service.auth.passwordReset.request({ email });
    await waitUntil(() => sent.length > 0, { what: 'the mail' });
    expect(sent).toMatchObject([{ to: email, kind: 'password_reset' }]);
  });

  it('a sender in the manner of a provider with an HTTP interface', async () => {
    const received: { token: unknown; body: Record<string, string> }[] = [];
    const server = createServer((request: IncomingMessage, response) => {
      void text(request).then((body) => {
        received.push({
          token: request.headers['x-token'],
          body: JSON.parse(body) as Record<string, string>,
        });
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/email`;
    const { kit } = await kitWith({
      send: async ({ to, subject, text: TextBody, html: HtmlBody }) => {
        const body = JSON.stringify({ To: to, Subject: subject, TextBody, HtmlBody });
        const reply = await fetch(url, { method: 'POST', headers: { 'x-token': 'key' }, body });
        if (!reply.ok) throw new Error(`The provider responded with ${reply.status}.`);
      },
    });
    kit.onClose(() => server.close());
    const email = await reset(kit);
    await waitUntil(() => received.length > 0, { what: 'the request' });
    expect(received).toMatchObject([{ token: 'key', body: { To: email } }]);
  });
});

describe('mails that the app writes', () => {
  it('have its texts in the language of the recipient, and those of the service where it returns none', async () => {
    const asked: string[] = [];
    const { kit } = await kitWith(
      {
        render: (kind, data, locale) => {
          asked.push(`${kind} ${locale}`);
          if (data.kind !== 'password_reset') return undefined;
          return { subject: 'Neues Passwort', text: data.url, html: `<a href="${data.url}">Los</a>` };
        },
      },
      { DEFAULT_LOCALE: 'de' },
    );
    const email = await reset(kit);
    const mail = await kit.mail.waitFor(email, 'password_reset');
    expect(mail.subject).toBe('Neues Passwort');
    await kit.auth.passwordReset.confirm({ token: mail.token ?? '', newPassword: 'another long walk home' });
    expect((await kit.mail.waitFor(email, 'password_changed')).subject).toContain('Passwort');
    expect(asked).toEqual(['password_reset de', 'password_changed de']);
  });

  it('a subject that ends in a line break, as a file does, is one line', async () => {
    const { kit } = await kitWith({ render: () => ({ subject: 'Your link\r\n', text: 'a', html: 'b' }) });
    expect((await kit.mail.waitFor(await reset(kit), 'password_reset')).subject).toBe('Your link');
  });

  it.each([
    [
      'no object',
      () => 'Hello',
      'mail.render returned no object with subject, text and html for password_reset.',
    ],
    ['no subject', () => ({ text: 'a', html: 'b' }), 'mail.render returned no subject for password_reset.'],
    [
      'an empty text',
      () => ({ subject: 'a', text: '', html: 'b' }),
      'mail.render returned no text for password_reset.',
    ],
    [
      'a subject of two lines',
      () => ({ subject: 'a\r\nBcc: eve@example.com', text: 'a', html: 'b' }),
      'mail.render returned a subject with line breaks or control characters for password_reset.',
    ],
    [
      'an error',
      () => {
        throw new TypeError('template is missing');
      },
      'mail.render failed: template is missing',
    ],
    ['never', () => new Promise(() => undefined), 'mail.render took longer than 3 seconds.'],
  ])('%s: the mail waits for the next attempt, and the log says why', async (_what, render, reason) => {
    const { kit, log } = await kitWith({ render: render as unknown as NonNullable<OwnMail['render']> });
    const email = await reset(kit);
    await waitUntil(() => log.some((line) => line.reason !== undefined), { what: 'the failure' });
    expect(log.find((line) => line.reason !== undefined)).toMatchObject({ kind: 'password_reset', reason });
    expect(await untilIn('retrying', kit, email)).toMatchObject({ state: 'retrying' });
    expect(kit.mail.to(email)).toEqual([]);
  });
});

it.each([
  [true, /mail must be an object of functions; sendMail turns sending on and off/],
  [{ sent: () => undefined }, /mail\.sent is unknown\. Did you mean send\? Write: createAuth/],
  [{ send: 'smtp://localhost' }, /mail\.send must be a function\. Write: createAuth/],
])('mail: %j is refused at construction with the right line', async (mail, message) => {
  const created = createTestAuth({ databaseUrl: inject('postgres').url, mail: mail as unknown as OwnMail });
  await expect(created).rejects.toThrow(message);
});
