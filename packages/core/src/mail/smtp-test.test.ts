import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { mailBrand } from '../../../../test/support/mail-brand.js';
import { startSmtpSink } from '../../../../test/support/smtp-sink.js';
import { freePort } from '../../../../tools/shared/free-port.mjs';
import { generateSecret } from '../kernel/secret.js';
import { contextIn } from './messages/localized-context.js';
import { testMailMessage } from './messages/test-mail.js';
import { sendSmtpTest, type SmtpTestOutcome } from './smtp-test.js';

const closers: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const facts = { brand: mailBrand(), occurredAt: new Date('2026-11-20T14:05:00Z') };
const content = testMailMessage(contextIn('en', facts));

const send = (url: string, to = 'ada@example.com'): Promise<SmtpTestOutcome> =>
  sendSmtpTest({ url, security: 'opportunistic', from: 'Latchkey <no-reply@example.com>' }, to, content);

/** An SMTP server that answers as the options say; its port. */
async function serverThat(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    ...(options.secure !== true && { disabledCommands: ['STARTTLS'] }),
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return (server.server.address() as AddressInfo).port;
}

/** A server that is none of SMTP; its port. */
async function peerThat(answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const refusal = (responseCode: number, text = 'not today'): Error =>
  Object.assign(new Error(text), { responseCode });

const refusingRecipients = (code: number) =>
  serverThat({ onRcptTo: (_address, _session, done) => done(refusal(code)) });

const refusingContent = (text?: string) =>
  serverThat({
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => done(refusal(554, text)));
    },
  });

it('a test mail arrives, and the reply of the server is returned', async () => {
  const sink = await startSmtpSink();
  closers.push(() => sink.stop());
  const outcome = await send(sink.url);
  expect(outcome).toEqual({
    server: `127.0.0.1:${sink.port}`,
    isAccepted: true,
    answer: expect.stringMatching(/^250 /) as string,
  });
  expect(sink.messages).toMatchObject([
    { to: ['ada@example.com'], from: 'no-reply@example.com', subject: 'Test mail of Latchkey' },
  ]);
  expect(sink.messages[0]?.text).toContain('November 2026 at 14:05 UTC');
});

interface Refusal {
  url: () => Promise<string>;
  problem: string;
  fix: RegExp;
  answer: RegExp;
}

const plainly = async (listening: Promise<number>): Promise<string> => `smtp://127.0.0.1:${await listening}`;

describe('a rejection is explained in a sentence, with the reply and a fix', () => {
  it.each<[string, Refusal]>([
    [
      'of the login',
      {
        url: async () => {
          const port = await serverThat({ onAuth: (_auth, _session, done) => done(new Error('bad login')) });
          return `smtp://ada:hunter2-secret@127.0.0.1:${port}`;
        },
        problem: 'refused the login.',
        fix: /user and password in SMTP_URL/,
        answer: /^535 bad login$/,
      },
    ],
    [
      'without a login',
      {
        url: () => plainly(serverThat({ authOptional: false })),
        problem: 'wants a login.',
        fix: /smtp:\/\/user:password@/,
        answer: /^530 /,
      },
    ],
    [
      'of the sender',
      {
        url: () => plainly(serverThat({ onMailFrom: (_address, _session, done) => done(refusal(550)) })),
        problem: 'refused the sender.',
        fix: /MAIL_FROM/,
        answer: /^550 not today$/,
      },
    ],
    [
      'of the recipient',
      {
        url: () => plainly(refusingRecipients(550)),
        problem: 'refused the recipient.',
        fix: /Check the address/,
        answer: /^550 /,
      },
    ],
    [
      'for now',
      {
        url: () => plainly(refusingRecipients(450)),
        problem: 'does not take the mail now.',
        fix: /some minutes/,
        answer: /^450 /,
      },
    ],
    [
      'of the mail itself',
      {
        url: () => plainly(refusingContent()),
        problem: 'refused the mail itself.',
        fix: /SPF and DKIM/,
        answer: /^554 /,
      },
    ],
  ])('%s', async (_what, { url, problem, fix, answer }) => {
    const outcome = await send(await url());
    expect(outcome).toMatchObject({
      isAccepted: false,
      problem: expect.stringContaining(problem) as string,
      fix: expect.stringMatching(fix) as string,
      answer: expect.stringMatching(answer) as string,
    });
    expect(JSON.stringify(outcome)).not.toContain('hunter2-secret');
  });

  it('a link that a filter quotes is not repeated', async () => {
    const link = `https://auth.example.com/reset-password?token=${generateSecret('lkp_')}`;
    const outcome = await send(`smtp://127.0.0.1:${await refusingContent(`blocked ${link}`)}`);
    expect(outcome.answer).toBe('554 blocked [address]');
  });

  it('an invalid address is not sent to the server', async () => {
    const outcome = await send(`smtp://127.0.0.1:${await serverThat({})}`, 'ada example');
    expect(outcome).toMatchObject({ isAccepted: false, fix: expect.stringContaining('address') as string });
  });
});

describe('an unusable server is distinguished from others', () => {
  // What the tests' mail server has to say about the certificate that it brings.
  beforeAll(() => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    return () => said.mockRestore();
  });

  it.each<[string, () => Promise<string>, string, string]>([
    [
      'nothing listens',
      async () => `smtp://127.0.0.1:${await freePort()}`,
      'Nothing listens at',
      'that the mail server runs',
    ],
    [
      'an unknown name',
      () => Promise.resolve('smtp://mail.invalid'),
      'The name of the mail server mail.invalid:587',
      'host',
    ],
    [
      'a certificate that is not good',
      async () => `smtps://127.0.0.1:${await serverThat({ secure: true })}`,
      'cannot be secured: ',
      'certificate',
    ],
    [
      'a certificate that is not good, after STARTTLS',
      async () => `smtp://127.0.0.1:${await serverThat({ disabledCommands: [] })}`,
      'cannot be secured: ',
      'certificate',
    ],
    [
      'no TLS at its start',
      async () => `smtps://127.0.0.1:${await serverThat({})}`,
      'does not begin with TLS.',
      'smtp:// instead of smtps://',
    ],
    [
      'no mail server',
      async () =>
        `smtp://127.0.0.1:${await peerThat((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))}`,
      'is no mail server.',
      'port',
    ],
    [
      'one that hangs up',
      async () => `smtp://127.0.0.1:${await peerThat((socket) => socket.destroy())}`,
      'cannot be reached',
      'mail server runs',
    ],
  ])('%s', async (_what, locate, problem, fix) => {
    const url = await locate();
    const outcome = await send(url);
    expect(outcome).toMatchObject({
      isAccepted: false,
      problem: expect.stringContaining(problem) as string,
      fix: expect.stringContaining(fix) as string,
    });
  });

  it('a silent server fails after a few seconds, with a hint at the port that requires TLS', async () => {
    const outcome = await send(`smtp://127.0.0.1:${await peerThat(() => undefined)}`);
    expect(outcome).toMatchObject({
      isAccepted: false,
      problem: expect.stringContaining('did not answer in time') as string,
      fix: expect.stringContaining('port 465 needs smtps://') as string,
    });
  });
});
