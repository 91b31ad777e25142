import type { Locale } from '@latchkey/core/names';
import { de } from './de.js';
import { en } from './en.js';
import type { Translation } from './translation.js';

/** The texts of the pages in one language. */
export type Messages = Translation<typeof en>;

export const MESSAGES: Readonly<Record<Locale, Messages>> = { en, de };
