import type { MailTransport } from '../mail/mailer.js';
import type { OwnMail } from '../mail/own-mail.js';
import { smtpSecurityOf, type SmtpServer } from '../mail/smtp-server.js';
import type { Settings } from '../settings/settings.js';

type Needs = Pick<Settings, 'mail' | 'environment'>;

/** Returns the mail server and the sender; undefined unless both are set, and if the app sends mail. */
export function smtpOf({ mail: { smtpUrl, from, byApp }, environment }: Needs): SmtpServer | undefined {
  if (smtpUrl === undefined || from === undefined || byApp) return undefined;
  const url = smtpUrl.reveal();
  return { url, security: smtpSecurityOf(url, environment === 'production'), from };
}

export function mailTransportOf(settings: Needs, own?: OwnMail): MailTransport {
  if (own?.send || settings.mail.byApp) return 'app';
  if (smtpOf(settings)) return 'smtp';
  return settings.environment === 'production' ? 'off' : 'inbox';
}
