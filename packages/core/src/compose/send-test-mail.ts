import { AuthError } from '../kernel/auth-error.js';
import { testMailMessage } from '../mail/messages/test-mail.js';
import { sendSmtpTest, type SmtpTestOutcome } from '../mail/smtp-test.js';
import type { SettingSource } from '../settings/environment.js';
import { readMailSettings } from '../settings/read-mail-settings.js';
import { smtpOf } from './mail-transport.js';

/**
 * Hands a test mail to the configured mail server, past the outbox, and tells what came of it. Needs no database.
 * @param source the environment and the `.env` file unless given.
 * @throws SettingsError, AuthError `conflict` when no mail server is configured.
 */
export async function sendTestMail(to: string, source?: SettingSource): Promise<SmtpTestOutcome> {
  const settings = readMailSettings(source);
  const smtp = smtpOf(settings);
  if (!smtp) throw noMailServer(settings);
  const { brandName } = settings;
  return sendSmtpTest(smtp, to, testMailMessage({ brandName, occurredAt: new Date() }));
}

function noMailServer({ mail, environment }: ReturnType<typeof readMailSettings>): AuthError {
  const missing = [
    ...(mail.smtpUrl === undefined ? ['SMTP_URL'] : []),
    ...(mail.from === undefined ? ['MAIL_FROM'] : []),
  ];
  const verb = missing.length === 1 ? 'is' : 'are';
  const consequence = environment === 'production' ? 'No mail is queued' : 'Mail is kept at /dev/mail';
  return AuthError.conflict(
    `There is no mail server: ${missing.join(' and ')} ${verb} not set. ${consequence} until then.`,
  );
}
