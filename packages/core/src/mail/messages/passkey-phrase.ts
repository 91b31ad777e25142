import { isPlainName } from '../../kernel/plain-name.js';

/** Returns the subject of a sentence about a passkey: its name, unless that could be mistaken for other content. */
export const passkeyPhrase = (name: string): string =>
  isPlainName(name) ? `The passkey "${name}"` : 'A passkey';
