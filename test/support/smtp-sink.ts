import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { waitUntil } from './wait-until.js';

export interface SinkMessage {
  /** The envelope's recipients. */
  to: string[];
  from: string;
  subject: string;
  /** Without the line break at its end. */
  text: string;
  html: string;
  /** True if it was received over TLS. */
  isEncrypted: boolean;
  /** Lower-case names; of a repeated header the last one. */
  headers: Record<string, string>;
}

/** Key and certificate, PEM. */
export interface TlsCertificate {
  key: string;
  cert: string;
}

/** A real SMTP server on the loopback address that keeps what it receives. */
export class SmtpSink {
  readonly messages: SinkMessage[] = [];
  /** While set, recipients are refused with this SMTP code: 450 for later, 550 for good. */
  refuseWith: number | undefined;
  /** The passwords that were sent to it, whether they were encrypted or not. */
  readonly passwords: string[] = [];
  readonly #server: SMTPServer;
  #port = 0;

  private constructor(tls: TlsCertificate | undefined) {
    this.#server = new SMTPServer({
      authOptional: true,
      ...(tls ?? { disabledCommands: ['STARTTLS'] }),
      // As a server in the middle would: it takes a password in the clear from any client.
      allowInsecureAuth: true,
      // Otherwise stopping waits up to 30 s for pooled connections.
      closeTimeout: 50,
      onAuth: (auth, _session, done) => {
        this.passwords.push(auth.password ?? '');
        done(null, { user: auth.username ?? '' });
      },
      onRcptTo: (_address, _session, done) => done(this.#refusal()),
      onData: (stream, session, done) => {
        this.#keep(stream, session).then(() => done(), done);
      },
    });
    // A client that goes away in the middle is part of some tests.
    this.#server.on('error', () => undefined);
  }

  static async start(port = 0, tls?: TlsCertificate): Promise<SmtpSink> {
    const sink = new SmtpSink(tls);
    await new Promise<void>((resolve, reject) => {
      sink.#server.server.once('error', reject);
      sink.#server.listen(port, '127.0.0.1', resolve);
    });
    sink.#port = (sink.#server.server.address() as AddressInfo).port;
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** The first message that fits, which may have come already. */
  waitForMessage(fits: (message: SinkMessage) => boolean): Promise<SinkMessage> {
    return waitUntil(() => this.messages.find(fits), { what: 'a mail that fits' });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #refusal(): Error | null {
    if (this.refuseWith === undefined) return null;
    return Object.assign(new Error('refused by the test'), { responseCode: this.refuseWith });
  }

  async #keep(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const mail = await PostalMime.parse(Buffer.concat(chunks));
    this.messages.push({
      to: session.envelope.rcptTo.map((recipient) => recipient.address),
      from: mail.from?.address ?? '',
      subject: mail.subject ?? '',
      text: mail.text?.trimEnd() ?? '',
      html: mail.html ?? '',
      isEncrypted: session.secure,
      headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    });
  }
}

/** On a free port, or on `port`; it offers STARTTLS when it has a certificate. */
export function startSmtpSink(port?: number, tls?: TlsCertificate): Promise<SmtpSink> {
  return SmtpSink.start(port, tls);
}
