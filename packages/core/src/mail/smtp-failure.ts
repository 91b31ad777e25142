import { oneLine } from './messages/plain-text.js';
import { withoutSecrets } from './without-secrets.js';

/** Details of a failure that nodemailer adds to its error. */
export interface SmtpFailure extends Error {
  code?: unknown;
  /** Error code of the system or of TLS. */
  originalCode?: unknown;
  command?: unknown;
  /** Reply of the server, and the number that it starts with (RFC 5321 section 4.2). */
  response?: unknown;
  responseCode?: unknown;
}

/** The reason for a failed sending in one sentence, and a fix. */
export interface SmtpProblem {
  problem: string;
  fix: string;
  /** Reply of the server; null without one. */
  answer: string | null;
}

/** Explains a failure. @param server as `host:port`, for the messages. */
export function explainSmtpFailure(error: unknown, server: string): SmtpProblem {
  const failure: SmtpFailure = error instanceof Error ? error : new Error(String(error));
  const { response } = failure;
  const [problem, fix] = explain(failure, server);
  return { problem, fix, answer: typeof response === 'string' ? fitForPeople(response) : null };
}

type Explanation = [problem: string, fix: string];

function explain(failure: SmtpFailure, server: string): Explanation {
  switch (failure.code) {
    case 'EDNS':
      return [`The name of the mail server ${server} is not known.`, 'Check the host in SMTP_URL.'];
    case 'ETIMEDOUT':
    case 'EABORT':
      return [
        `The mail server ${server} did not answer in time.`,
        'Check host and port in SMTP_URL and the firewalls on the way; port 465 needs smtps:// instead of smtp://.',
      ];
    case 'EPROTOCOL':
      return [`What answers at ${server} is no mail server.`, 'Check host and port in SMTP_URL.'];
    case 'EAUTH':
    case 'ENOAUTH':
      return [
        `The mail server ${server} refused the login.`,
        'Check user and password in SMTP_URL; characters such as @ : / must be percent-encoded.',
      ];
    case 'ETLS':
      return explainTls(failure, server);
    case 'ESOCKET':
    case 'ECONNECTION':
      return isTls(failure) ? explainTls(failure, server) : explainConnection(failure, server);
    case 'EENVELOPE':
    case 'EMESSAGE':
      return explainRefusal(failure);
    default:
      return [`The mail could not be handed over: ${fitForPeople(failure.message)}`, 'Check SMTP_URL.'];
  }
}

/** Codes of OpenSSL, and of Node for certificates. */
const isTls = ({ originalCode }: SmtpFailure): boolean =>
  typeof originalCode === 'string' &&
  /^ERR_(?:SSL|TLS)|CERT|^EPROTO$|^UNABLE_TO_|SIGNATURE|ISSUER/.test(originalCode);

function explainTls({ message, originalCode, response }: SmtpFailure, server: string): Explanation {
  // The server replied, so the certificate is not the fault.
  if (typeof response === 'string') {
    return [
      `The mail server ${server} does not offer STARTTLS, so nothing was sent to it.`,
      'Use a port with STARTTLS (587), or smtps:// (465). Add ?tls=none to SMTP_URL only on a private network.',
    ];
  }
  if (originalCode === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return [
      `The mail server ${server} does not begin with TLS.`,
      'Use smtp:// instead of smtps:// in SMTP_URL: the connection is then secured by STARTTLS, usually on port 587.',
    ];
  }
  return [
    `The connection to the mail server ${server} cannot be secured: ${fitForPeople(message)}.`,
    'Name the host in SMTP_URL as its certificate does; for an authority of your own set NODE_EXTRA_CA_CERTS.',
  ];
}

function explainConnection({ originalCode, message }: SmtpFailure, server: string): Explanation {
  const fix = 'Check host and port in SMTP_URL, and that the mail server runs.';
  if (originalCode === 'ECONNREFUSED') return [`Nothing listens at ${server}.`, fix];
  return [`The mail server ${server} cannot be reached: ${fitForPeople(message)}.`, fix];
}

function explainRefusal({ command, responseCode }: SmtpFailure): Explanation {
  if (command === 'API') return ['This is no address that mail can be sent to.', 'Check the address.'];
  if (typeof responseCode === 'number' && responseCode < 500) {
    return [
      'The mail server does not take the mail now.',
      'Try again in some minutes, as the service does by itself.',
    ];
  }
  if (responseCode === 530) {
    return [
      'The mail server wants a login.',
      'Put user and password into SMTP_URL: smtp://user:password@host:587',
    ];
  }
  if (command === 'MAIL FROM') {
    return [
      'The mail server refused the sender.',
      'Set MAIL_FROM to an address that this login may send from.',
    ];
  }
  if (command === 'RCPT TO') {
    return [
      'The mail server refused the recipient.',
      'Check the address, and that the server may send to its domain.',
    ];
  }
  return [
    'The mail server refused the mail itself.',
    'See what it answered; its policy decides, such as SPF and DKIM.',
  ];
}

const MAX_LENGTH = 300;

const fitForPeople = (text: string): string =>
  Array.from(withoutSecrets(oneLine(text)).replace(/\.$/, ''))
    .slice(0, MAX_LENGTH)
    .join('');
