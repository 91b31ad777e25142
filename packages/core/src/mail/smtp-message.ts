import type { SendMailOptions } from 'nodemailer';
import type { MailMessage } from './mailer.js';
import type { SmtpServer } from './smtp-server.js';

const CONNECT_TIMEOUT_MS = 5_000;
const GREETING_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 10_000;
/** One mail in all. A server that trickles its answers never meets the socket timeout. */
const SEND_TIMEOUT_MS = 30_000;

/** Returns the options of a connection. The query of the URL is ours: nodemailer would take any option from there. */
export const connectionTo = ({ url, security }: Pick<SmtpServer, 'url' | 'security'>) => ({
  url: url.replace(/[?#].*$/, ''),
  requireTLS: security === 'starttls',
  ignoreTLS: security === 'none',
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: GREETING_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** A mail as nodemailer takes it, with the time it has from now on. */
export const mailFrom = (from: string, message: MailMessage): SendMailOptions => ({
  from,
  // An object is one address and is never parsed as a list.
  to: { name: '', address: message.to },
  subject: message.subject,
  text: message.text,
  html: message.html,
  // RFC 3834 section 5: keeps out-of-office replies away from the sender's mailbox.
  headers: { 'Auto-Submitted': 'auto-generated' },
  signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
});
