import { SmtpMailer } from '../../mail/mailer.smtp.js';
import type { SmtpServer } from '../../mail/smtp-server.js';

export interface MailServerFacts {
  /** Duration of connection, greeting and, if the URL has a login, sign-in. */
  milliseconds: number;
}

export async function probeMailServer(smtp: SmtpServer): Promise<MailServerFacts> {
  const started = performance.now();
  const mailer = new SmtpMailer({ ...smtp, maxConnections: 1 });
  try {
    await mailer.verify();
    return { milliseconds: performance.now() - started };
  } finally {
    mailer.close();
  }
}
