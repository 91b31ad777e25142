import { wrapAnsi } from 'fast-wrap-ansi';
import { displayWidth } from './printable.js';

/** Too narrow to wrap in: the terminal may break such lines itself. */
const NARROWEST = 24;

/** A text beside a lead, broken between words so that it fits and stays in its column. Colours count for nothing. */
export function hanging(lead: string, text: string, columns: number): string[] {
  const indent = displayWidth(lead);
  const width = Math.max(columns - indent, NARROWEST);
  const [first = '', ...more] = wrapAnsi(text, width).split('\n');
  return [lead + first, ...more.map((line) => ' '.repeat(indent) + line)];
}
