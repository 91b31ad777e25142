import { describe, expect, it } from 'vitest';
import { fullNameOf, labelOf, legacyIdsOf, localeOf, pictureUrlOf } from './profile-text.js';

describe('a name', () => {
  it.each([
    [['Ann', 'Berg'], 'Ann Berg'],
    [[undefined, 'Berg'], 'Berg'],
    [[' Ann\u0000\n', '\tBerg '], 'Ann Berg'],
    [[undefined, undefined], undefined],
  ])('is joined from its parts, without control characters: %j', (parts, name) => {
    expect(fullNameOf(parts, [])).toBe(name);
  });

  it('that is too long is cut at a character, with a note', () => {
    const notes: string[] = [];
    expect(fullNameOf(['😀'.repeat(200)], notes)).toBe('😀'.repeat(200));
    expect(notes).toEqual([]);
    expect(fullNameOf([`${'x'.repeat(199)}😀😀`], notes)).toBe(`${'x'.repeat(199)}😀`);
    expect(notes).toEqual(['The name is longer than 200 characters and is cut.']);
  });
});

describe('the name of an authenticator app', () => {
  it('is cut at a character, with a note', () => {
    const notes: string[] = [];
    expect(labelOf(`${'x'.repeat(99)}😀`, notes)).toBe(`${'x'.repeat(99)}😀`);
    expect(labelOf(undefined, notes)).toBeUndefined();
    expect(notes).toEqual([]);
    expect(labelOf(`${'x'.repeat(99)}😀x`, notes)).toBe(`${'x'.repeat(99)}😀`);
    expect(notes).toHaveLength(1);
  });
});

describe('a picture', () => {
  it('is kept if it is an address', () => {
    expect(pictureUrlOf('https://example.com/ann.png', [])).toBe('https://example.com/ann.png');
    expect(pictureUrlOf(undefined, [])).toBeUndefined();
  });

  it.each([
    'data:image/png;base64,AAAA',
    'https://ann:secret@example.com/',
    'ann.png',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('of another kind is left out with a note: %s', (text) => {
    const notes: string[] = [];
    expect(pictureUrlOf(text, notes)).toBeUndefined();
    expect(notes).toHaveLength(1);
  });
});

describe('a language', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['EN_us', 'en'],
    [undefined, undefined],
  ])('%s is taken without its region', (tag, locale) => {
    const notes: string[] = [];
    expect(localeOf(tag, notes)).toBe(locale);
    expect(notes).toEqual([]);
  });

  it.each(['fr', 'deutsch', ''])('"%s" is left out with a note', (tag) => {
    const notes: string[] = [];
    expect(localeOf(tag, notes)).toBeUndefined();
    expect(notes).toEqual(['The language is none in which mails are written and is left out.']);
  });
});

describe('identifiers of the source', () => {
  it('are kept by system, except those that are too long', () => {
    const notes: string[] = [];
    expect(legacyIdsOf({ crm: '1', none: undefined, long: 'x'.repeat(201) }, notes)).toEqual({ crm: '1' });
    expect(notes).toEqual(['The identifier long is longer than 200 characters and is left out.']);
  });
});
