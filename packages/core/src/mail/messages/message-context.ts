import type { Locale } from '../../kernel/locale.js';
import type { MailBrand } from '../mail-brand.js';
import { MAIL_TEXTS, type MailTexts } from './mail-texts.js';

/** The facts that every message may use besides its payload. */
export interface MessageContext {
  brand: MailBrand;
  /** The time at which the mail was queued, that is, of its cause. */
  occurredAt: Date;
  locale: Locale;
  /** The texts of that language. */
  texts: MailTexts;
}

/** Returns the context of a message in one language. */
export const contextIn = (
  locale: Locale,
  facts: Pick<MessageContext, 'brand' | 'occurredAt'>,
): MessageContext => ({ ...facts, locale, texts: MAIL_TEXTS[locale] });
