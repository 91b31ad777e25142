import type { Locale } from '../kernel/locale.js';

/** A mail in its final form. Subject and text are already free of control characters. */
export interface MailContent {
  /** The language of subject and text. */
  locale: Locale;
  subject: string;
  text: string;
  html: string;
  /** The URLs of its links, in order. */
  links: string[];
}
