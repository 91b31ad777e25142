import stringWidth from 'fast-string-width';

/**
 * Returns external text (a name, a user agent) without characters that control a terminal or break a line: control
 * characters, direction marks and line separators each become U+FFFD.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** Returns the columns of a terminal that a text takes: none for colours, two for East Asian letters and emoji. */
export const displayWidth = (text: string): number => stringWidth(text);

/** Cuts a text to at most `width` columns, between characters as people see them, and marks the cut by an ellipsis. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
