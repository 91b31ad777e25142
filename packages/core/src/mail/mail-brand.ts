import { accentColours, type AccentColours } from '../kernel/accent-colours.js';
import { initialOf } from '../kernel/initial.js';
import type { Settings } from '../settings/settings.js';

/** The brand as mails show it. */
export interface MailBrand {
  name: string;
  /** Colours of the button. Mail programs show it on light and dark backgrounds, so both its colours are fixed. */
  button: AccentColours;
  /** Absolute URL; undefined shows the name instead. */
  logoUrl: string | undefined;
  /** The first letter of the name, which is the mark where there is no logo. */
  initial: string;
  /** URL of the help of the operator, if there is one. */
  supportUrl: string | undefined;
  /** URL of the sign-in page. */
  signInUrl: string;
}

/** @param baseUrl the public address of the service. */
export const mailBrandOf = (
  { name, accent, logoPath, links }: Settings['brand'],
  baseUrl: string,
): MailBrand => ({
  name,
  button: accentColours(accent).light,
  logoUrl: logoPath === undefined ? undefined : logoUrlFor(logoPath, baseUrl),
  initial: initialOf(name),
  supportUrl: links.support === undefined ? undefined : new URL(links.support, baseUrl).href,
  signInUrl: `${baseUrl}/login`,
});

/** Mail programs load pictures over https only, and hardly any shows an SVG. */
function logoUrlFor(logoPath: string, baseUrl: string): string | undefined {
  const { protocol, href } = new URL(logoPath, baseUrl);
  return protocol === 'https:' && !/\.svgz?$/i.test(logoPath) ? href : undefined;
}
