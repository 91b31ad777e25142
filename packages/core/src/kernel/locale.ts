/**
 * The languages of pages and mails, as language tags (BCP 47).
 * @example
 * ```ts
 * LOCALES.includes('de'); // → true
 * ```
 */
export const LOCALES = ['en', 'de'] as const;

/**
 * A language of pages and mails.
 * @example
 * ```ts
 * const locale: Locale = 'en';
 * LOCALES.includes(locale); // → true
 * ```
 */
export type Locale = (typeof LOCALES)[number];
