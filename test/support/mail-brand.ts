import { mailBrandOf, type MailBrand } from '../../packages/core/src/mail/mail-brand.js';
import type { Settings } from '../../packages/core/src/settings/settings.js';

/** Returns the brand in mails of the tests. Defaults to that of a service without settings. */
export const mailBrand = (
  brand: Partial<Settings['brand']> = {},
  baseUrl = 'https://auth.example.com',
): MailBrand =>
  mailBrandOf(
    {
      name: 'Latchkey',
      accent: '#2f5bd0',
      logoPath: undefined,
      logoDarkPath: undefined,
      links: { terms: undefined, privacy: undefined, support: undefined },
      ...brand,
    },
    baseUrl,
  );
