import type { Auth } from '@latchkey/core';
import { initialOf } from '@latchkey/core/names';
import { markup } from './markup.js';

/** The look of the pages, made from the settings of a brand. */
export interface BrandLook {
  name: string;
  /** A path on this host. If undefined, the mark is shown instead. */
  logoPath: string | undefined;
  /** The same for dark mode, if it differs. */
  logoDarkPath: string | undefined;
  links: Auth['settings']['brand']['links'];
  /** CSS properties that the style sheet of the pages uses. */
  customProperties: string;
  /** An SVG of the name's first letter on the accent. */
  mark: string;
}

type BrandColours = Auth['brandColours'];

/** Returns the look of a brand. @param colours accent colours by colour scheme. */
export function lookOf(
  { name, logoPath, logoDarkPath, links }: Auth['settings']['brand'],
  { light, dark }: BrandColours,
): BrandLook {
  return {
    name,
    logoPath,
    logoDarkPath,
    links,
    customProperties: `:root{${properties(light)}}@media(prefers-color-scheme:dark){:root{${properties(dark)}}}`,
    mark: mark(name, light),
  };
}

const properties = ({ accent, onAccent }: BrandColours['light']): string =>
  `--accent:${accent};--on-accent:${onAccent}`;

function mark(name: string, { accent, onAccent }: BrandColours['light']): string {
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui,-apple-system,Segoe UI,Roboto,sans-serif" font-size="18" font-weight="700" fill="${onAccent}">${initialOf(name)}</text></svg>`.toString();
}
