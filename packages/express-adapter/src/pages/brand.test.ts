import { describe, expect, it } from 'vitest';
import { lookOf } from './brand.js';

const markOf = (name: string, accent = '#2f5bd0'): string =>
  lookOf({ name, logoPath: undefined, accent }).mark;

describe('the mark of a brand', () => {
  it.each([
    ['Latchkey', 'L'],
    ['östliche Höfe', 'Ö'],
    ['ßtraße', 'SS'],
    ['株式会社', '株'],
    ['👩‍💻 Shop', '👩‍💻'],
    ['e\u0301cole', 'E\u0301'],
    ['&Co', '&amp;'],
    ['"C"', '&quot;'],
  ])('of %s shows %s', (name, letter) => {
    expect(markOf(name)).toMatch(new RegExp(`^<svg [^]*>${letter}</text></svg>$`));
  });

  it('stands on the accent of the light scheme', () => {
    expect(markOf('L')).toContain('fill="#2f5bd0"');
    expect(markOf('L', '#ffff00')).not.toContain('#ffff00');
  });
});
