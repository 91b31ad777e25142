import { wrapAnsi } from 'fast-wrap-ansi';
import { displayWidth } from './printable.js';

/** The narrowest column to wrap in; the terminal breaks longer lines itself. */
const NARROWEST = 24;

/** Returns the lines of a text beside a lead, wrapped in its own column. Colours have no width. */
export function hanging(lead: string, text: string, columns: number): string[] {
  const indent = displayWidth(lead);
  const width = Math.max(columns - indent, NARROWEST);
  const [first = '', ...more] = wrapAnsi(text, width).split('\n');
  return [lead + first, ...more.map((line) => ' '.repeat(indent) + line)];
}
