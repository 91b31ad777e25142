import { expect, it } from 'vitest';
import { nameInput } from './name-input.js';

const nameOf = (text: string) => nameInput(40).safeParse(text);

it.each([
  'Ann Berg',
  "Siobhán O'Neill-Ørsted",
  'Jean‑Luc « Jo » Müller, Jr.',
  '李小龙',
  'محمد بن سلمان',
  'שרה כהן',
  'नेहा शर्मा',
  'e\u0301cole',
  'Zoë 👩‍💻🌷',
  'Fatima \u200fعلي\u200e (AB)',
  'עדה \u202e עדה',
  'x'.repeat(40),
])('the name %s is accepted unchanged', (name) => {
  expect(nameOf(name).data).toBe(name);
});

it.each([
  ['an escape sequence', 'Eve \u001b[31mred'],
  ['a line break', 'Eve\nYour account is locked'],
  ['a carriage return', 'Eve\rAnn'],
  ['a tab', 'Eve\tAnn'],
  ['a bell', 'Eve\u0007'],
  ['a C1 control', 'Eve\u009b31m'],
  ['a line separator', 'Eve\u2028Ann'],
])('%s in a name is rejected, and the message says why', (_what, name) => {
  expect(nameOf(name).error?.issues.map(({ message }) => message)).toEqual([
    'must not contain control characters or line breaks',
  ]);
});

it('spaces and line breaks around a name are removed', () => {
  expect(nameOf('  Ann Berg \n').data).toBe('Ann Berg');
});

it.each(['', '   ', 'x'.repeat(41)])('the name %j is rejected because of its length', (name) => {
  expect(nameOf(name).success).toBe(false);
});
