import { isPlainName } from '../../kernel/plain-name.js';

/** Returns how a sentence begins that is about a passkey: by its name, unless that could pass for something else. */
export const passkeyPhrase = (name: string): string =>
  isPlainName(name) ? `The passkey "${name}"` : 'A passkey';
