import type { Locale } from '../../kernel/locale.js';
import { MAIL_TEXTS } from './mail-texts.js';
import type { MessageContext } from './message-context.js';

/** Returns the context of a message in one language. Kinds do not import it, so that lists of their names load no texts. */
export const contextIn = (
  locale: Locale,
  facts: Pick<MessageContext, 'brand' | 'occurredAt'>,
): MessageContext => ({ ...facts, locale, texts: MAIL_TEXTS[locale] });
