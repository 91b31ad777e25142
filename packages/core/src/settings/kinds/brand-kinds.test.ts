import { describe, expect, it } from 'vitest';
import { colour, ownPath } from './brand-kinds.js';

describe('a colour', () => {
  it.each([
    ['#2F5BD0', '#2f5bd0'],
    ['#abc', '#aabbcc'],
    [' #000000 ', '#000000'],
  ])('%s is %s', (text, value) => {
    expect(colour.schema.parse(text)).toBe(value);
  });

  it.each(['blue', '2f5bd0', '#12345', '#1234567', 'rgb(1,2,3)', '#00000g', '#000;}body{display:none'])(
    '%s is none',
    (text) => {
      expect(colour.schema.safeParse(text).success).toBe(false);
    },
  );
});

describe('a path on the same host', () => {
  it.each(['/logo.svg', '/brand/logo-2.png', '/a%20b.svg'])('may be %s', (text) => {
    expect(ownPath.schema.parse(text)).toBe(text);
  });

  it.each([
    'https://cdn.example.com/x.svg',
    '//cdn.example.com/x.svg',
    'logo.svg',
    '/\\evil',
    '/a"b',
    'data:,x',
  ])('is not %s', (text) => {
    expect(ownPath.schema.safeParse(text).success).toBe(false);
  });
});
