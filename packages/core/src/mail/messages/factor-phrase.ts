import { isPlainName } from '../../kernel/plain-name.js';

/** Returns the subject of a sentence about a second factor: its name, unless that could be mistaken for other content. */
export const factorPhrase = (name: string): string =>
  isPlainName(name) ? `The second factor "${name}"` : 'A second factor';
