import { profileMessages as messages } from '../../messages/en/account.js';
import { DIAL_CODES } from './dial-codes.js';

/** Characters that people write between digits. */
const SEPARATORS = /[\s().\-/\u2010-\u2015\u2060]+/g;

/**
 * Returns the fields of a phone number as the service takes them. A number that starts with "+" or "00" names its dial code
 * itself, which then replaces the chosen one.
 */
export function phoneOf(chosen: string, typed: string): { phonePrefix: string; phoneNumber: string } {
  const digits = typed.replace(SEPARATORS, '').replace(/^00/, '+');
  // Of a saved dial code that the list lacks, such as +1684, the choice knows.
  const codes = [chosen, ...DIAL_CODES.map(({ code }) => code)].filter((code) => code !== '');
  const own = codes
    .filter((code) => digits.startsWith(code))
    .sort((one, other) => other.length - one.length)[0];
  if (own !== undefined) return { phonePrefix: own, phoneNumber: digits.slice(own.length) };
  return { phonePrefix: digits === '' ? '' : chosen, phoneNumber: digits };
}

/** Returns the choices of a dial code, by the name of the country. @param saved one that the list may lack. */
export function dialCodeOptions(saved: string): (readonly [value: string, text: string])[] {
  const { lang } = document.documentElement;
  const names = new Intl.DisplayNames(lang, { type: 'region' });
  const options = DIAL_CODES.map(
    ({ country, code }) => [code, `${names.of(country) ?? country} (${code})`] as const,
  );
  options.sort(([, one], [, other]) => one.localeCompare(other, lang));
  const isKnown = saved === '' || DIAL_CODES.some(({ code }) => code === saved);
  return [['', messages.anyCountry], ...(isKnown ? [] : [[saved, saved] as const]), ...options];
}
