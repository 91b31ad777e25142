import { expect, it } from 'vitest';
import { renderSections } from './sections.js';
import type { Column } from './table.js';

interface Plant {
  kind: string;
  name: string;
  colour: string;
}

const COLUMNS: Column<Plant>[] = [
  { title: 'NAME', text: ({ name }) => name },
  { title: 'COLOUR', text: ({ colour }) => colour },
];
const ITEMS: Plant[] = [
  { kind: 'Fruit', name: 'plum', colour: 'blue' },
  { kind: 'Fruit', name: 'apple', colour: 'red' },
  { kind: 'Roots', name: 'beetroot', colour: 'purple' },
];

it('rows follow their heading, in columns that all sections share', () => {
  const space = { columns: 80, paint: (_style: string, text: string) => text };
  expect(renderSections(ITEMS, ({ kind }) => kind, COLUMNS, space)).toEqual([
    'Fruit',
    '  plum      blue',
    '  apple     red',
    '',
    'Roots',
    '  beetroot  purple',
  ]);
});

it('an empty list gives no lines', () => {
  expect(renderSections([], () => '', COLUMNS, { columns: 80, paint: (_style, text) => text })).toEqual([]);
});
