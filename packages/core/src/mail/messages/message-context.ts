import type { Locale } from '../../kernel/locale.js';
import type { MailBrand } from '../mail-brand.js';
import type { MailTexts } from './mail-texts.js';
import type { MessageFacts } from './message-facts.js';

/** The facts that every message may use besides its payload. */
export interface MessageContext {
  brand: MailBrand;
  /** The time at which the mail was queued, that is, of its cause. */
  occurredAt: Date;
  locale: Locale;
  /** The texts of that language. */
  texts: MailTexts;
}

/** Returns what most sentences of a mail name. */
export const factsOf = ({ brand, occurredAt, texts }: MessageContext): MessageFacts => ({
  product: brand.name,
  when: texts.times.on(occurredAt),
});
