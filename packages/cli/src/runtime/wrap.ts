import { wrapAnsi } from 'fast-wrap-ansi';
import { displayWidth } from './printable.js';

/** Lines that people paste into a shell or a file stay whole: a command, a setting, a flag of curl. */
const PASTED = /^\s*(latchkey|npx|npm|curl|kubectl|docker|sudo|[A-Z][A-Z0-9_]+=)/;
/** The fewest columns beside an indentation; with fewer, the line is not wrapped. */
const NARROWEST = 20;

/**
 * Wraps prose at the width of the terminal, and keeps the indentation of each line. Measures columns, not
 * characters; colours have no width. Words that are longer than a line stay whole.
 */
export const wrapProse = (text: string, columns: number): string =>
  text
    .split('\n')
    .map((line) => (PASTED.test(line) ? line : wrapLine(line, columns)))
    .join('\n');

function wrapLine(line: string, columns: number): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const available = columns - indent.length;
  if (available < NARROWEST || displayWidth(line) <= columns) return line;
  return wrapAnsi(line.slice(indent.length), available, { hard: false, trim: true })
    .split('\n')
    .map((part) => indent + part)
    .join('\n');
}
