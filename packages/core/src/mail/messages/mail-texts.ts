import type { Locale } from '../../kernel/locale.js';
import { de } from './de.js';
import { en } from './en.js';
import type { Translation } from './translation.js';

/** The texts of every mail in one language. */
export type MailTexts = Translation<typeof en>;

export const MAIL_TEXTS: Readonly<Record<Locale, MailTexts>> = { en, de };
