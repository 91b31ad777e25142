import { domainToASCII } from 'node:url';

/** Maximum length of an address, in characters. */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** RFC 5322 dot-atom: no quotes, no leading, trailing or doubled dot. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** At least two labels, so no bare host; the last is not all digits (RFC 3696 section 2), so no IP address. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
/**
 * The domain of the addresses that erased users have. No address of it is accepted, so the address of a tombstone cannot be
 * taken before there is one.
 */
const ERASED_DOMAIN = 'erased.invalid';
/** Safe input of `domainToASCII`: it reads a URL's host, so it would unescape `%` and cut at `/` or `?`. */
const DOMAIN_AS_TYPED = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;

/**
 * Returns the spelling under which an address is stored and compared: trimmed, ASCII letters in lower case,
 * domain in its ASCII form (RFC 5891). Undefined if the text is not an accepted address. Dots and plus signs
 * stay: only the mail server of the address knows their meaning.
 * @example
 * ```ts
 * canonicalEmail(' Ann.Berg@Bücher.example '); // → 'ann.berg@xn--bcher-kva.example'
 * canonicalEmail('ann@localhost'); // → undefined
 * ```
 */
export function canonicalEmail(text: string): string | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || trimmed.length > MAX_EMAIL_LENGTH) return undefined;
  const local = lowerAscii(trimmed.slice(0, at));
  const domain = asciiDomain(trimmed.slice(at + 1));
  const email = `${local}@${domain}`;
  const fits = local.length <= MAX_LOCAL_LENGTH && email.length <= MAX_EMAIL_LENGTH;
  const isAddress = LOCAL_PART.test(local) && DOMAIN.test(domain) && domain !== ERASED_DOMAIN;
  return fits && isAddress ? email : undefined;
}

/**
 * Returns the prefix of an address in the spelling of `canonicalEmail`, for searches. Of an international domain only whole labels
 * can be searched for.
 */
export function emailPrefix(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at < 0) return trimmed.toLowerCase();
  const domain = trimmed.slice(at + 1);
  return `${lowerAscii(trimmed.slice(0, at))}@${asciiDomain(domain) || domain.toLowerCase()}`;
}

/** Returns the address of a user whose personal data was erased. */
export const erasedEmailOf = (userId: string): string => `erased-${userId}@${ERASED_DOMAIN}`;

const asciiDomain = (text: string): string => (DOMAIN_AS_TYPED.test(text) ? domainToASCII(text) : '');

/** Lower-cases A to Z only: a Turkish dotless i must not fold into another person's address. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
