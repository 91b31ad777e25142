import { createHash } from 'node:crypto';

const SHOWN_DIGITS = 8;
const LEAST_LENGTH = 32;

/**
 * Returns a text that may be shown for a secret: `set`, or for a clearly generated secret the first digits of its digest,
 * so that two can be compared. The digest of a guessable secret would help to guess it.
 */
export function shownSecret(value: unknown): string {
  const parts = Array.isArray(value) ? value.map(shownPart) : [shownPart(value)];
  return parts.join(', ');
}

function shownPart(value: unknown): string {
  if (typeof value !== 'string' || !isGenerated(value)) return 'set';
  return `sha256:${createHash('sha256').update(value).digest('hex').slice(0, SHOWN_DIGITS)}`;
}

/** Returns true if a text looks like at least 128 random bits. */
export function isGenerated(text: string): boolean {
  if (text.includes('-----BEGIN')) return true;
  if (text.length < LEAST_LENGTH) return false;
  if (/^[0-9a-f]+$/i.test(text)) return new Set(text.toLowerCase()).size >= 8;
  return /^[\w+/=-]+$/.test(text) && new Set(text).size >= 16 && isMixed(text);
}

/** Lower case, upper case and digits alternate far more often in random text than in combined words. */
function isMixed(text: string): boolean {
  const kinds = Array.from(text, kindOfCharacter);
  const turns = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return turns >= 0.4 * (text.length - 1);
}

function kindOfCharacter(character: string): string {
  if (/[a-z]/.test(character)) return 'letter';
  if (/[A-Z]/.test(character)) return 'capital';
  return /\d/.test(character) ? 'digit' : 'mark';
}
