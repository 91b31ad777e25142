import { asciiDomain, emailDomain } from '../kernel/email-domain.js';

/** Maximum length of an address, in characters. */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** RFC 5322 dot-atom: no quotes, no leading, trailing or doubled dot. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/**
 * The domain of the addresses that erased users have. No address of it is accepted, so the address of a tombstone cannot be
 * taken before there is one.
 */
const ERASED_DOMAIN = 'erased.invalid';

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
  const domain = emailDomain(trimmed.slice(at + 1));
  if (domain === undefined || domain === ERASED_DOMAIN) return undefined;
  const email = `${local}@${domain}`;
  const fits = local.length <= MAX_LOCAL_LENGTH && email.length <= MAX_EMAIL_LENGTH;
  return fits && LOCAL_PART.test(local) ? email : undefined;
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

/** Lower-cases A to Z only: a Turkish dotless i must not fold into another person's address. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
