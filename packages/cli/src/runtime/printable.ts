/**
 * Text from outside (a name, a user agent) without what could command a terminal or break a line: control
 * characters, direction marks and line separators each become U+FFFD.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** Columns of a terminal that a text takes: none for combining marks, two for East Asian letters and emoji. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

const NO_WIDTH = /[\p{M}\p{Cf}]/u;
const WIDE = /[\p{Emoji_Presentation}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\uFF01-\uFF60]/u;

/** The text cut to at most `width` columns, with an ellipsis when something is missing. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
