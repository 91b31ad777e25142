import { formatHex, interpolate, wcagContrast } from 'culori';

/** Colours of one scheme that depend on the accent, each as `#rrggbb`. */
export interface AccentColours {
  accent: string;
  /** Text on the accent. */
  onAccent: string;
}

/** Minimum contrast of text to its background (WCAG 2.2, success criterion 1.4.3), plus a margin for rounding. */
const LEGIBLE = 4.6;
const STEP = 0.04;

/** The background of each scheme that is hardest to read the accent on; `pages.css` has the same values. */
const BACKGROUND = { light: '#f4f5f7', dark: '#1b2027' } as const;

/** The colours of each scheme. */
export type BrandColours = Record<'light' | 'dark', AccentColours>;

/**
 * Returns the accent for each scheme: darkened on light and lightened on dark, only as far as legibility
 * requires.
 */
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
