import { describe, expect, it } from 'vitest';
import { displayWidth } from './printable.js';
import { renderTable, type Column } from './table.js';

interface Person {
  id: string;
  email: string;
  name: string;
}

const COLUMNS: Column<Person>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
  {
    title: 'NAME',
    text: ({ name }) => name,
    whenNarrow: 'drop',
    style: ({ id }) => (id === '2' ? 'red' : undefined),
  },
];

const PEOPLE: Person[] = [
  { id: '1', email: 'ada@example.com', name: '李小龍' },
  { id: '2', email: 'grace.hopper@navy.example.com', name: 'Grace\nHopper' },
];

const table = (columns: number): string[] =>
  renderTable(PEOPLE, COLUMNS, {
    columns,
    paint: (style, text) => (style === 'dim' ? text : `<${style}>${text}</>`),
  });

describe('a table', () => {
  it('is aligned, also with letters of double width and text that would break the line', () => {
    expect(table(80)).toEqual([
      'ID  EMAIL                          NAME',
      '1   ada@example.com                李小龍',
      '2   grace.hopper@navy.example.com  <red>Grace\uFFFDHopper</>',
    ]);
  });

  it('shortens what may be shortened to fit the terminal', () => {
    const lines = table(43);
    expect(lines[2]).toContain('grace.hopper@navy.exampl…');
    expect(lines[0]).toContain('NAME');
    for (const line of lines.slice(0, 2)) expect(displayWidth(line)).toBeLessThanOrEqual(43);
  });

  it('leaves columns out before it shortens others beyond recognition', () => {
    expect(table(30)).toEqual(['ID  EMAIL', '1   ada@example.com', '2   grace.hopper@navy.example…']);
  });

  it('never touches what must stay whole', () => {
    expect(table(3)[1]).toMatch(/^1 {3}ada@/);
  });
});
