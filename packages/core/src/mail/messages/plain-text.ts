/** C0 and C1 controls, line and paragraph separators, and the marks that reorder text around them. */
const UNSAFE_IN_LINE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Returns `text` on one line, fit for a header or a paragraph. Line breaks and other controls become a space, so that
 * a name can neither start a header or a paragraph, nor reverse the rest of a sentence.
 */
export function oneLine(text: string): string {
  return text.replace(UNSAFE_IN_LINE, ' ').trim();
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes `text` for HTML, in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const COLUMNS = 72;

/** Breaks a paragraph at spaces so that lines stay within 72 characters; a longer word keeps a line to itself. */
export function wrap(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && lengthOf(line) + 1 + lengthOf(word) > COLUMNS) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}

const lengthOf = (text: string): number => Array.from(text).length;
