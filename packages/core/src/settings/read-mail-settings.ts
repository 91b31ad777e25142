import type { SettingSource } from './environment.js';
import { readSomeSettings } from './read-some-settings.js';
import type { Settings } from './settings.js';

/** What it takes to send a mail, and to say what is missing. */
export interface MailTools extends Pick<Settings, 'environment' | 'mail'> {
  brandName: string;
}

/**
 * The settings of mail alone, for tools that need no database.
 * @throws SettingsError that names every fault of these at once.
 */
export function readMailSettings(source?: SettingSource): MailTools {
  const values = readSomeSettings(['APP_ENV', 'SMTP_URL', 'MAIL_FROM', 'BRAND_NAME'], source);
  return {
    environment: values.APP_ENV,
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM },
    brandName: values.BRAND_NAME,
  };
}
