import { describe, expect, it } from 'vitest';
import { displayWidth, printable, shorten } from './printable.js';

describe('text from outside', () => {
  it('control characters and line breaks are replaced', () => {
    expect(printable('a\u001b[2Jb\nc\u009bd\u202ee\u2028f')).toBe('a\uFFFD[2Jb\uFFFDc\uFFFDd\uFFFDe\uFFFDf');
  });

  it('other characters stay unchanged', () => {
    expect(printable('Zoë Ñandú 李小龍 👩‍🚀')).toBe('Zoë Ñandú 李小龍 👩‍🚀');
  });
});

describe('the width of a text', () => {
  it.each([
    ['Ada', 3],
    ['', 0],
    ['李小龍', 6],
    ['e\u0301', 1],
    ['한글', 4],
    ['🚀', 2],
    ['👩‍🚀', 2],
    ['ｈｉ', 4],
    ['\u001b[31mred\u001b[39m', 3],
  ])('%s takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('shortening keeps the width and adds an ellipsis', () => {
    expect(shorten('Ada Lovelace', 12)).toBe('Ada Lovelace');
    expect(shorten('Ada Lovelace', 6)).toBe('Ada L…');
    expect(displayWidth(shorten('李小龍李小龍', 6))).toBeLessThanOrEqual(6);
    expect(shorten('Ada 👩‍🚀👩‍🚀', 7)).toBe('Ada 👩‍🚀…');
    expect(shorten('\uFFFD\uFFFDAda', 3)).toBe('\uFFFD\uFFFD…');
  });
});
