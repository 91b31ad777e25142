/** One sender: RFC 5322, section 3.4. */
interface Mailbox {
  /** Empty without one. */
  name: string;
  address: string;
}

const FORM = /^(?:(?<bare>[^\s<>]+)|(?<name>[^<>]*)<(?<address>[^\s<>]+)>)$/u;
/** Characters that would begin a comment, a list, a group or a quoted text in a header. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;
const QUOTED = /^"(?<text>(?:[^"\\]|\\.)*)"$/u;
/** A word that a program has encoded for a header (RFC 2047). */
const ENCODED = /=\?[^?]+\?[bq]\?[^?]*\?=/i;

/**
 * Reads `no-reply@example.com`, `Acme: Portal <no-reply@example.com>` or `"Acme: Portal" <no-reply@example.com>`. The name is any text
 * on one line. The settings check the sender by this function, and mails are sent by its result.
 * @returns undefined for anything else.
 */
export function readMailbox(text: string): Mailbox | undefined {
  const { bare, name = '', address = bare ?? '' } = FORM.exec(text.trim())?.groups ?? {};
  const plainName = unquoted(name.trim());
  const isFaulty = /\p{Cc}/u.test(plainName) || ENCODED.test(plainName) || !plainName.isWellFormed();
  return ADDRESS.test(address) && !isFaulty ? { name: plainName, address } : undefined;
}

function unquoted(name: string): string {
  const text = QUOTED.exec(name)?.groups?.text;
  return text === undefined ? name : text.replaceAll(/\\(.)/gu, '$1').trim();
}
