import { describe, expect, it } from 'vitest';
import { printEntries, type EntryFormat, type EntryOutlet } from './entries.js';

interface Entry {
  id: number;
  text: string;
}

const FORMAT: EntryFormat<Entry> = {
  view: (entry) => entry,
  fields: ({ id, text }) => [id, text, undefined],
  id: ({ id }) => String(id),
  lines: ({ id, text }, { columns }, above) => [
    ...(above !== undefined && above.id < id - 1 ? ['gap'] : []),
    text.slice(0, columns),
  ],
};

const ENTRIES = [
  { id: 1, text: 'one\u009b' },
  { id: 2, text: 'two\tlong' },
  { id: 3, text: 'three' },
];

async function printed(form: EntryOutlet['form'], pages: Entry[][]): Promise<string[]> {
  const lines: string[] = [];
  async function* asTheyCome() {
    for (const page of pages) yield await Promise.resolve(page);
  }
  const space = { columns: 4, paint: (_style: string, text: string) => text };
  await printEntries(asTheyCome(), FORMAT, { form, space, print: (text) => lines.push(text) });
  return lines;
}

const [first, second, third] = ENTRIES as [Entry, Entry, Entry];
const PAGES = [[first], [], [second, third]];

describe('entries that come page by page', () => {
  it('pages of entries give the JSON of the whole array', async () => {
    const text = (await printed('json', PAGES)).join('\n');
    expect(text).toBe(JSON.stringify(ENTRIES, null, 2).replace('\u009b', '\\u009b'));
    expect((await printed('json', [[first]])).join('\n')).toContain('"id": 1');
    expect(await printed('json', [])).toEqual(['[]']);
    expect(await printed('json', [[]])).toEqual(['[]']);
  });

  it('entries give one line of JSON each', async () => {
    const lines = await printed('json lines', PAGES);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(ENTRIES);
    expect(lines.join('')).not.toContain('\u009b');
  });

  it('entries give ids, lines for people and fields for programs', async () => {
    expect(await printed('ids', PAGES)).toEqual(['1', '2', '3']);
    expect(await printed('people', PAGES)).toEqual(['one\u009b', 'two\t', 'thre']);
    expect(await printed('people', [[first], [third]])).toEqual(['one\u009b', 'gap\nthre']);
    expect(await printed('tabs', PAGES)).toEqual(['1\tone\uFFFD\t', '2\ttwo\uFFFDlong\t', '3\tthree\t']);
  });
});
