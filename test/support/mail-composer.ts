import type { Locale } from '../../packages/core/src/kernel/locale.js';
import type { MailBrand } from '../../packages/core/src/mail/mail-brand.js';
import { MailComposer } from '../../packages/core/src/mail/mail-composer.js';
import type { MailSources } from '../../packages/core/src/mail/mail-source.js';
import { mailBrand } from './mail-brand.js';

const SKIP = { complete: () => Promise.resolve('skip' as const) };

/** Returns a composer with the sources given; the others skip their mail. */
export const mailComposer = (
  sources: Partial<MailSources> = {},
  brand: MailBrand = mailBrand(),
  defaultLocale: Locale = 'en',
): MailComposer =>
  new MailComposer({
    brand,
    defaultLocale,
    sources: {
      invitation: SKIP,
      password_reset: SKIP,
      mailed_sign_in: SKIP,
      email_verification: SKIP,
      email_change: SKIP,
      email_changed: SKIP,
      account_deletion: SKIP,
      approval_waiting: SKIP,
      ...sources,
    },
  });
