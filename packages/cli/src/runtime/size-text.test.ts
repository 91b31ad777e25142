import { expect, it } from 'vitest';
import { sizeText } from './size-text.js';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_540_000, '1.5 MB'],
  [38_000_000_000, '38 GB'],
  [2e15, '2,000 TB'],
])('%d is %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
