import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from './printable.js';

/** Too narrow to wrap in: the terminal may break such lines itself. */
const NARROWEST = 24;

/** A text beside a lead, broken between words so that it fits and stays in its column. Colours count for nothing. */
export function hanging(lead: string, text: string, columns: number): string[] {
  const indent = widthOf(lead);
  const width = Math.max(columns - indent, NARROWEST);
  const [first = '', ...more] = brokenLines(text, width);
  return [lead + first, ...more.map((line) => ' '.repeat(indent) + line)];
}

function brokenLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

const widthOf = (text: string): number => displayWidth(stripVTControlCharacters(text));
