import type { AddressInfo } from 'node:net';
import { addressParser, decodeWords } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { localCertificate } from '../../../../test/support/local-certificate.js';
import { startSmtpSink } from '../../../../test/support/smtp-sink.js';
import { freePort } from '../../../../tools/shared/free-port.mjs';
import { MailRejectedError, type AddressedMail } from './mailer.js';
import { SmtpMailer } from './mailer.smtp.js';
import type { SmtpSecurity } from './smtp-server.js';

const closers: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startedSink() {
  const sink = await startSmtpSink();
  closers.push(() => sink.stop());
  return sink;
}

function mailerFor(url: string, security: SmtpSecurity = 'opportunistic'): SmtpMailer {
  const mailer = new SmtpMailer({ url, security, from: 'Latchkey <no-reply@example.com>' });
  closers.push(() => mailer.close());
  return mailer;
}

/** An SMTP server that answers as the options say. */
async function startedServer(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 50,
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

const refusal = (responseCode: number): Error => Object.assign(new Error('refused'), { responseCode });

const mail = (changes: Partial<AddressedMail> = {}): AddressedMail => ({
  to: 'ada@example.com',
  locale: 'en',
  subject: 'Reset your password',
  text: 'Hello',
  html: '<p>Hello</p>',
  links: [],
  ...changes,
});

async function failureOf(sending: Promise<void>): Promise<unknown> {
  return sending.then(
    () => undefined,
    (error: unknown) => error,
  );
}

it('a mail arrives with its sender, subject and both texts', async () => {
  const sink = await startedSink();
  const text = 'Grüße, Zoë ✓ 👩🏽‍🚀 李小龍';
  await mailerFor(sink.url).send(mail({ subject: 'Hallo Zoë ✓', text, html: `<p>${text}</p>` }));
  expect(sink.messages).toHaveLength(1);
  expect(sink.messages[0]).toMatchObject({ to: ['ada@example.com'], from: 'no-reply@example.com' });
  expect(sink.messages[0]).toMatchObject({ subject: 'Hallo Zoë ✓', text });
  expect(sink.messages[0]?.html).toContain(text);
});

it.each(['Acme: Portal', 'Acme, "Ötz" GmbH: x', 'Acme (EU)', 'Acme; Co'])(
  'the sender %s is one mailbox with this name',
  async (name) => {
    const sink = await startedSink();
    const mailer = new SmtpMailer({
      url: sink.url,
      security: 'opportunistic',
      from: `${name} <no-reply@example.com>`,
    });
    closers.push(() => mailer.close());
    await mailer.send(mail());
    const read = addressParser(sink.messages[0]?.headers.from ?? '');
    expect(read.map((each) => ({ ...each, name: decodeWords(each.name) }))).toEqual([
      { name, address: 'no-reply@example.com' },
    ]);
  },
);

it('a mail has the headers of an automatic message, and names its language', async () => {
  const sink = await startedSink();
  await mailerFor(sink.url).send(mail({ locale: 'de' }));
  expect(sink.messages[0]?.headers['auto-submitted']).toBe('auto-generated');
  expect(sink.messages[0]?.headers['content-language']).toBe('de');
});

it('a line break in the subject adds no header and no recipient', async () => {
  const sink = await startedSink();
  await mailerFor(sink.url).send(mail({ subject: 'Hello\r\nBcc: eve@example.com\r\nX-Evil: 1' }));
  expect(sink.messages[0]?.to).toEqual(['ada@example.com']);
  expect(Object.keys(sink.messages[0]!.headers)).not.toContain('bcc');
  expect(Object.keys(sink.messages[0]!.headers)).not.toContain('x-evil');
});

it('one recipient never becomes two', async () => {
  const sink = await startedSink();
  await failureOf(mailerFor(sink.url).send(mail({ to: 'ada@example.com, eve@example.com' })));
  expect(sink.messages.flatMap((message) => message.to)).not.toContain('eve@example.com');
});

it('a mailbox that does not exist is a rejection', async () => {
  const sink = await startedSink();
  sink.refuseWith = 550;
  const failure = await failureOf(mailerFor(sink.url).send(mail()));
  expect(failure).toBeInstanceOf(MailRejectedError);
  expect(String(failure)).toContain('550');
});

it('permanently rejected content is a rejection', async () => {
  const url = await startedServer({
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => done(refusal(554)));
    },
  });
  expect(await failureOf(mailerFor(url).send(mail()))).toBeInstanceOf(MailRejectedError);
});

it.each([450, 451, 452])('a recipient with the reply %i is tried again later', async (code) => {
  const sink = await startedSink();
  sink.refuseWith = code;
  const failure = await failureOf(mailerFor(sink.url).send(mail()));
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(MailRejectedError);
});

it('a rejected sender is a fault of the settings, not a rejection of the mail', async () => {
  const url = await startedServer({ onMailFrom: (_address, _session, done) => done(refusal(550)) });
  const failure = await failureOf(mailerFor(url).send(mail()));
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(MailRejectedError);
});

it('a rejected login is a fault of the settings, and shows no password', async () => {
  const url = await startedServer({ onAuth: (_auth, _session, done) => done(new Error('bad login')) });
  const failure = await failureOf(mailerFor(url.replace('//', '//user:hunter2-secret@')).send(mail()));
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(MailRejectedError);
  expect(String(failure)).not.toContain('hunter2-secret');
});

it('the credentials of the URL are used, percent-decoded', async () => {
  const logins: unknown[] = [];
  const url = await startedServer({
    onAuth: ({ username, password }, _session, done) => {
      logins.push([username, password]);
      done(null, { user: 'user' });
    },
    onData: (stream, _session, done) => stream.resume().on('end', () => done()),
  });
  await mailerFor(url.replace('//', '//us%40er:p%3Aw%2F@')).send(mail());
  expect(logins).toEqual([['us@er', 'p:w/']]);
});

it('no password and no mail go to a server without STARTTLS where it is required', async () => {
  const sink = await startedSink();
  const url = sink.url.replace('//', '//user:hunter2-secret@');
  const mailer = mailerFor(url, 'starttls');
  for (const failure of [await failureOf(mailer.send(mail())), await failureOf(mailer.verify())]) {
    expect(failure).not.toBeInstanceOf(MailRejectedError);
    expect(String(failure)).toMatch(/127\.0\.0\.1:\d+ does not offer STARTTLS, so nothing was sent to it/);
  }
  expect([sink.passwords, sink.messages]).toEqual([[], []]);
});

it('no password and no mail go to a server whose certificate is not trusted', async () => {
  const sink = await startSmtpSink(0, localCertificate());
  closers.push(() => sink.stop());
  const url = sink.url.replace('//', '//user:hunter2-secret@');
  expect(await failureOf(mailerFor(url, 'starttls').send(mail()))).toBeInstanceOf(Error);
  expect([sink.passwords, sink.messages]).toEqual([[], []]);
});

it('options of the mail library in the URL are ignored', async () => {
  const sink = await startedSink();
  const url = `${sink.url}?requireTLS=false&ignoreTLS=true`;
  expect(String(await failureOf(mailerFor(url, 'starttls').send(mail())))).toContain('STARTTLS');
  expect(sink.messages).toEqual([]);
});

it('a server without STARTTLS gets mail where TLS is not required', async () => {
  const sink = await startedSink();
  await mailerFor(`${sink.url}?tls=none`, 'none').send(mail());
  expect(sink.messages).toMatchObject([{ isEncrypted: false }]);
});

it('an unavailable server is no rejection, and verify reports it', async () => {
  const mailer = mailerFor(`smtp://127.0.0.1:${await freePort()}`);
  const failure = await failureOf(mailer.send(mail()));
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(MailRejectedError);
  await expect(mailer.verify()).rejects.toThrow();
});

it('verify succeeds when the server replies', async () => {
  const sink = await startedSink();
  await expect(mailerFor(sink.url).verify()).resolves.toBeUndefined();
});
