import { describe, expect, it } from 'vitest';
import { lookOf } from './brand.js';

const LIGHT = { accent: '#2f5bd0', onAccent: '#ffffff' };
const DARK = { accent: '#9db8ff', onAccent: '#0c0e12' };

const markOf = (name: string): string =>
  lookOf(
    {
      name,
      logoPath: undefined,
      logoDarkPath: undefined,
      accent: '#2f5bd0',
      links: { terms: undefined, privacy: undefined, support: undefined },
    },
    { light: LIGHT, dark: DARK },
  ).mark;

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
  ])('the mark of %s shows the letter %s', (name, letter) => {
    expect(markOf(name)).toMatch(new RegExp(`^<svg [^]*>${letter}</text></svg>$`));
  });

  it('the mark has the accent of the light scheme as its background', () => {
    expect(markOf('L')).toContain(`fill="${LIGHT.accent}"`);
    expect(markOf('L')).not.toContain(DARK.accent);
  });
});
