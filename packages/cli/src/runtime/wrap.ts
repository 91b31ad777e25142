import { wrapAnsi } from 'fast-wrap-ansi';
import { displayWidth } from './printable.js';

/** What is pasted into a shell or a file must stay in one line: a command, a setting, a flag of curl. */
const PASTED = /^\s*(latchkey|npx|npm|curl|kubectl|docker|sudo|[A-Z][A-Z0-9_]+=)/;
/** Less room than this beside an indentation is not worth keeping it. */
const NARROWEST = 20;

/**
 * Prose broken at words at the edge of the terminal, each line with the indentation it had. Columns count, not
 * characters, and colours count for nothing. Words that are longer than a line stay whole.
 */
export const wrapProse = (text: string, columns: number): string =>
  text
    .split('\n')
    .map((line) => (PASTED.test(line) ? line : wrapLine(line, columns)))
    .join('\n');

function wrapLine(line: string, columns: number): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const room = columns - indent.length;
  if (room < NARROWEST || displayWidth(line) <= columns) return line;
  return wrapAnsi(line.slice(indent.length), room, { hard: false, trim: true })
    .split('\n')
    .map((part) => indent + part)
    .join('\n');
}
