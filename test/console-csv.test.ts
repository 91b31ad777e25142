import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvOf } from '../packages/pages/src/browser/console/csv.js';

const NAMES = ['id', 'text'] as const;
const linesOf = (text: unknown): string => csvOf([{ id: 1, text }], NAMES);

it('a file has a line of names, and a line for each row', () => {
  expect(
    csvOf(
      [
        { id: 1, text: 'a' },
        { id: 2, text: 'b' },
      ],
      NAMES,
    ),
  ).toBe('\u{feff}id,text\r\n1,a\r\n2,b\r\n');
  expect(csvOf([], NAMES)).toBe('\u{feff}id,text\r\n');
});

it.each(['a,b', 'say "hi"', 'two\nlines', 'cr\r\nlf', '', 'ä,😀'])('a reader finds %j as it was', (text) => {
  expect(parse(linesOf(text), { bom: true, columns: true, record_delimiter: '\r\n' })).toEqual([
    { id: '1', text },
  ]);
});

it.each([
  '=1+1',
  '+49 30',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1+1',
  '＠SUM(A1)',
  '=HYPERLINK("https://evil.example","x")',
])('no spreadsheet evaluates %j', (text) => {
  const [row] = parse(linesOf(text), { bom: true, columns: true, record_delimiter: '\r\n' });
  expect(row).toEqual({ id: '1', text: `'${text}` });
});

it('values that are missing are empty, and lists and flags are JSON', () => {
  expect(csvOf([{ id: null, text: undefined }], NAMES)).toContain('\r\n,\r\n');
  expect(csvOf([{ id: true, text: ['a', 'b'] }], NAMES)).toContain('\r\ntrue,"[""a"",""b""]"\r\n');
});
