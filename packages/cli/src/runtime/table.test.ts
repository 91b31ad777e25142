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
  it('a table is aligned, also with wide letters and line breaks in texts', () => {
    expect(table(80)).toEqual([
      'ID  EMAIL                          NAME',
      '1   ada@example.com                李小龍',
      '2   grace.hopper@navy.example.com  <red>Grace\uFFFDHopper</>',
    ]);
  });

  it('columns that may shrink are shortened to fit the terminal', () => {
    const lines = table(43);
    expect(lines[2]).toContain('grace.hopper@navy.exampl…');
    expect(lines[0]).toContain('NAME');
    for (const line of lines.slice(0, 2)) expect(displayWidth(line)).toBeLessThanOrEqual(43);
  });

  it('columns are left out before others become too narrow', () => {
    expect(table(30)).toEqual(['ID  EMAIL', '1   ada@example.com', '2   grace.hopper@navy.example…']);
  });

  it('one long value hides no column, and an empty column is left out', () => {
    const columns: Column<Person>[] = [
      { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
      { title: 'NAME', text: ({ name }) => name, whenNarrow: 'drop', least: 12 },
      { title: 'NOTE', text: () => '', whenNarrow: 'drop' },
    ];
    const people = [...PEOPLE, { id: '3', email: 'bea@example.com', name: 'x'.repeat(88) }];
    const lines = renderTable(people, columns, { columns: 50, paint: (_style, text) => text });
    expect(lines[0]).toMatch(/^EMAIL +NAME$/);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(50);
    expect(lines[3]).toMatch(/^bea@example\.com +x{11,}…$/);
  });

  it('ids are shortened to unique prefixes of at least eight characters', () => {
    const ids = ['01981f3e-5c1a-7b7e', '01981f3e-5d00-7b7e', 'aaaaaaaa-0000-7000'];
    const shown = (wanted: string[]) =>
      renderTable(wanted, [{ title: 'ID', text: (id: string) => id, isId: true }], {
        columns: 80,
        paint: (_style, text) => text,
      }).slice(1);
    expect(shown(ids)).toEqual(['01981f3e-5c', '01981f3e-5d', 'aaaaaaaa-00']);
    expect(shown(ids.slice(1))).toEqual(['01981f3e', 'aaaaaaaa']);
    expect(shown(['short'])).toEqual(['short']);
  });

  it('a column that must stay whole is never shortened', () => {
    expect(table(3)[1]).toMatch(/^1 {3}ada@/);
  });
});
