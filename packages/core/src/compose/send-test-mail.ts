import { AuthError } from '../kernel/auth-error.js';
import type { SmtpTestOutcome } from '../mail/smtp-test.js';
import type { SettingSource } from '../settings/environment.js';
import type { MailTools } from '../settings/read-mail-settings.js';
import { smtpOf } from './mail-transport.js';

/**
 * Sends a test mail to the configured mail server, without the outbox, and returns the outcome. Requires no database.
 * @param source defaults to the environment and the `.env` file.
 * @throws SettingsError, AuthError `conflict` when no mail server is configured.
 * @example
 * ```ts
 * await sendTestMail('ann@example.com', { APP_ENV: 'test' }); // →! /There is no mail server/
 * ```
 */
export async function sendTestMail(to: string, source?: SettingSource): Promise<SmtpTestOutcome> {
  // Loaded here, because few programs that could send a test mail do.
  const { readMailSettings } = await import('../settings/read-mail-settings.js');
  const settings = readMailSettings(source);
  const smtp = smtpOf(settings);
  if (!smtp) throw noMailServer(settings);
  const { mailBrandOf } = await import('../mail/mail-brand.js');
  const { contextIn } = await import('../mail/messages/localized-context.js');
  const { testMailMessage } = await import('../mail/messages/test-mail.js');
  const brand = mailBrandOf(settings.brand, settings.baseUrl);
  const { sendSmtpTest } = await import('../mail/smtp-test.js');
  const context = contextIn(settings.defaultLocale, { brand, occurredAt: new Date() });
  return sendSmtpTest(smtp, to, testMailMessage(context));
}

function noMailServer({ mail, environment }: MailTools): AuthError {
  if (mail.byApp) {
    return AuthError.conflict(
      'There is no mail server: the app sends mail (MAIL_BY_APP). Test its function there.',
      'mail_not_configured',
    );
  }
  const missing = [
    ...(mail.smtpUrl === undefined ? ['SMTP_URL'] : []),
    ...(mail.from === undefined ? ['MAIL_FROM'] : []),
  ];
  const verb = missing.length === 1 ? 'is' : 'are';
  const consequence = environment === 'production' ? 'No mail is queued' : 'Mail is kept at /dev/mail';
  return AuthError.conflict(
    `There is no mail server: ${missing.join(' and ')} ${verb} not set. ${consequence} until then.`,
    'mail_not_configured',
  );
}
