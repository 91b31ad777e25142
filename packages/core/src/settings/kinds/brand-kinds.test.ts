import { describe, expect, it } from 'vitest';
import { colour, linkTarget, ownPath } from './brand-kinds.js';

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

describe('the target of a link', () => {
  it.each([
    ['/terms', '/terms'],
    ['https://www.example.com/terms?lang=de#top', 'https://www.example.com/terms?lang=de#top'],
    ['https://help.example.com', 'https://help.example.com/'],
  ])('%s is %s', (text, value) => {
    expect(linkTarget.schema.parse(text)).toBe(value);
  });

  it.each([
    'http://www.example.com/terms',
    '//www.example.com/terms',
    'javascript:alert(1)',
    'mailto:help@example.com',
    'https://user:secret@example.com/',
    'terms',
  ])('is not %s', (text) => {
    expect(linkTarget.schema.safeParse(text).success).toBe(false);
  });
});
