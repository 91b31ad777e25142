import type { SettingSource } from './environment.js';
import { readSomeSettings } from './read-some-settings.js';
import { BRAND_SETTING_NAMES, brandOf, publicAddressOf, type Settings } from './settings.js';

/** The settings for sending mail. */
export interface MailTools extends Pick<Settings, 'environment' | 'mail' | 'brand' | 'defaultLocale'> {
  /** The public address of the service. */
  baseUrl: string;
}

const NAMES = [
  'APP_ENV',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_BY_APP',
  'DEFAULT_LOCALE',
  ...BRAND_SETTING_NAMES,
  'AUTH_BASE_URL',
  'SERVER_URL',
  'PORT',
] as const;

/**
 * Reads the mail settings alone, for tools that need no database.
 * @throws SettingsError that names every fault of these settings.
 */
export function readMailSettings(source?: SettingSource): MailTools {
  const values = readSomeSettings(NAMES, source);
  return {
    environment: values.APP_ENV,
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, byApp: values.MAIL_BY_APP },
    brand: brandOf(values),
    defaultLocale: values.DEFAULT_LOCALE,
    baseUrl: publicAddressOf(values),
  };
}
