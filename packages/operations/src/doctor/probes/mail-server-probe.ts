import { SmtpMailer } from '@latchkey/core/internal/mail/mailer.smtp';
import type { SmtpServer } from '@latchkey/core/internal/mail/smtp-server';

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
