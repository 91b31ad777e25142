import type { SendMailOptions } from 'nodemailer';
import { readMailbox } from '../kernel/mailbox.js';
import type { AddressedMail } from './mailer.js';
import type { SmtpServer } from './smtp-server.js';

const CONNECT_TIMEOUT_MS = 5_000;
const GREETING_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 10_000;
/** Deadline of one mail. A server that replies byte by byte never reaches the socket timeout. */
const SEND_TIMEOUT_MS = 30_000;

/** Returns the options of a connection. The URL is not passed on: nodemailer would read any option from its query. */
export const connectionTo = ({ url, security }: Pick<SmtpServer, 'url' | 'security'>) => ({
  ...serverOf(new URL(url)),
  requireTLS: security === 'starttls',
  ignoreTLS: security === 'none',
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: GREETING_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  disableFileAccess: true,
  disableUrlAccess: true,
});

function serverOf({ protocol, hostname, port, username, password }: URL) {
  const server = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    secure: protocol === 'smtps:',
    ...(port !== '' && { port: Number(port) }),
  };
  if (username === '') return server;
  return { ...server, auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
}

/** Returns a mail in the form of nodemailer, with its deadline. */
export const mailFrom = (from: string, message: AddressedMail): SendMailOptions => ({
  from: readMailbox(from) ?? from,
  // An object is one address and is never parsed as a list.
  to: { name: '', address: message.to },
  subject: message.subject,
  text: message.text,
  html: message.html,
  // RFC 3834 section 5: keeps out-of-office replies away from the sender's mailbox. RFC 3282 section 2: screen readers and
  // translators need the language.
  headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': message.locale },
  signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
});
