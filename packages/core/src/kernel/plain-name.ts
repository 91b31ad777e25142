/** Letters, digits and the punctuation of names; nothing that a mail program would turn into a link. */
const PLAIN_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} '’&+(),/-]|\.(?![\p{L}\p{M}\p{N}/])){0,79}$/u;

/**
 * Returns true if a text can only be a name: short, on one line, without markup, addresses and marks that reorder text.
 * Names of people and companies are typed by their owners and are shown to others in mail that we sign.
 */
export const isPlainName = (text: string): boolean => PLAIN_NAME.test(text);
