import { formatHex, interpolate, wcagContrast } from 'culori';

/** Colours of one scheme that depend on the accent, each as `#rrggbb`. */
export interface AccentColours {
  accent: string;
  /** Text on the accent. */
  onAccent: string;
}

/** Least contrast of text to its background (WCAG 2.2, success criterion 1.4.3), and a little more for rounding. */
const LEGIBLE = 4.6;
const STEP = 0.04;

/** The background each scheme's accent is hardest to read on; `pages.css` has the same. */
const BACKGROUND = { light: '#f4f5f7', dark: '#1b2027' } as const;

/** The colours of each scheme. */
export type BrandColours = Record<'light' | 'dark', AccentColours>;

/** Returns the accent as each scheme can show it: darker on light, lighter on dark, only as far as legibility asks. */
export function accentColours(accent: string): BrandColours {
  return {
    light: { accent: legible(accent, BACKGROUND.light, '#000000'), onAccent: '#ffffff' },
    dark: { accent: legible(accent, BACKGROUND.dark, '#ffffff'), onAccent: '#0c0e12' },
  };
}

function legible(accent: string, background: string, towards: string): string {
  const mix = interpolate([accent, towards], 'oklab');
  for (let share = 0; share < 1; share += STEP) {
    const colour = formatHex(mix(share));
    if (wcagContrast(colour, background) >= LEGIBLE) return colour;
  }
  return towards;
}
