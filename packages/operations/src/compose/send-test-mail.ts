import { smtpOf } from '@latchkey/core/internal/compose/mail-transport';
import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import type { SmtpTestOutcome } from '@latchkey/core/internal/mail/smtp-test';
import type { SettingSource } from '@latchkey/core/internal/settings/environment';
import type { MailTools } from '@latchkey/core/internal/settings/read-mail-settings';

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
  const { readMailSettings } = await import('@latchkey/core/internal/settings/read-mail-settings');
  const settings = readMailSettings(source);
  const smtp = smtpOf(settings);
  if (!smtp) throw noMailServer(settings);
  const { mailBrandOf } = await import('@latchkey/core/internal/mail/mail-brand');
  const { contextIn } = await import('@latchkey/core/internal/mail/messages/localized-context');
  const { testMailMessage } = await import('@latchkey/core/internal/mail/messages/test-mail');
  const brand = mailBrandOf(settings.brand, settings.baseUrl);
  const { sendSmtpTest } = await import('@latchkey/core/internal/mail/smtp-test');
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
