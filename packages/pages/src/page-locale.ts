import { isLocale, LOCALES, type Locale } from '@latchkey/core/names';
import { type HttpRequest, preferredLanguage, queryOf } from '@latchkey/http/internal';

/**
 * Returns the language of a page: the first known one of `ui_locales` (OpenID Connect Core 1.0, section 3.1.2.1: tags
 * separated by spaces, by preference), else of `Accept-Language` (RFC 9110, section 12.5.4), else the default.
 */
export function localeOf(request: HttpRequest, defaultLocale: Locale): Locale {
  const requested = queryOf(request).ui_locales;
  const tags = typeof requested === 'string' ? requested.split(' ') : [];
  const known = tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLocale);
  if (known !== undefined) return known;
  // The default language comes first: it is chosen when the browser accepts all the same, or names none.
  const accepted = preferredLanguage(request, [defaultLocale, ...LOCALES]);
  return accepted !== undefined && isLocale(accepted) ? accepted : defaultLocale;
}
