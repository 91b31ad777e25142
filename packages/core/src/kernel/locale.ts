/** The languages of pages and mails, as language tags (BCP 47). */
export const LOCALES = ['en', 'de'] as const;

/** A language of pages and mails. */
export type Locale = (typeof LOCALES)[number];

/**
 * Reports whether a text is a language of pages and mails.
 * @example
 * ```ts
 * isLocale('fr'); // → false
 * ```
 */
export const isLocale = (text: string | null | undefined): text is Locale =>
  (LOCALES as readonly (string | null | undefined)[]).includes(text);

/** The scripts that are written from right to left. */
const RIGHT_TO_LEFT = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg'];

/**
 * Returns the direction of a language's script.
 * @example
 * ```ts
 * directionOf('ar'); // → 'rtl'
 * ```
 */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
