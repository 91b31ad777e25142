import { expect, it } from 'vitest';
import { isPlainName } from './plain-name.js';

it.each([
  'Ann Berg',
  "José Nuñez-O'Neill",
  '李小龙',
  'Zoë Müller-Lüdenscheidt',
  'Dr. M. L. King, Jr.',
  'नेहा',
])('%s is accepted as a plain name', (text) => {
  expect(isPlainName(text)).toBe(true);
});

it.each([
  '',
  ' Ann',
  'customer, confirm at https://evil.example/login',
  'evil.example',
  'ann@evil.example',
  'Ann\nYour account is locked',
  '<b>Ann</b>',
  'Ann\u202egreb',
  'a'.repeat(81),
])('%j is rejected as a plain name', (text) => {
  expect(isPlainName(text)).toBe(false);
});
