const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the first letter of a name as a capital: the mark of a brand without a logo. Empty for an empty name.
 *
 * @example
 * initialOf('latchkey'); // → 'L'
 */
export function initialOf(name: string): string {
  const [first] = LETTERS.segment(name.trim());
  return first?.segment.toUpperCase() ?? '';
}
