import { domainToASCII } from 'node:url';

/** At least two labels, so no bare host; the last is not all digits (RFC 3696 section 2), so no IP address. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
/** Safe input of `domainToASCII`: it reads a URL's host, so it would unescape `%` and cut at `/` or `?`. */
const DOMAIN_AS_TYPED = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;

/** Returns the ASCII form of a domain (RFC 5891) in lower case; an empty text if it has none. */
export const asciiDomain = (text: string): string => (DOMAIN_AS_TYPED.test(text) ? domainToASCII(text) : '');

/** Returns a domain of email addresses as they are stored; undefined if it cannot be one. */
export function emailDomain(text: string): string | undefined {
  const domain = asciiDomain(text);
  return DOMAIN.test(domain) ? domain : undefined;
}
