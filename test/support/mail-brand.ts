import { mailBrandOf, type MailBrand } from '../../packages/core/src/mail/mail-brand.js';
import type { BrandSettings } from '../../packages/core/src/settings/settings.js';

/** How mails of the tests present the product; like a service without settings unless `brand` says otherwise. */
export const mailBrand = (
  brand: Partial<BrandSettings> = {},
  baseUrl = 'https://auth.example.com',
): MailBrand => mailBrandOf({ name: 'Latchkey', accent: '#2f5bd0', logoPath: undefined, ...brand }, baseUrl);
