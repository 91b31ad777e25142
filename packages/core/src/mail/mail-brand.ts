import { accentColours, type AccentColours } from '../kernel/accent-colours.js';
import type { BrandSettings } from '../settings/settings.js';

/** How mails present the product. */
export interface MailBrand {
  name: string;
  /** The button: mail programs show it on light and on dark, so it brings both of its colours. */
  button: AccentColours;
  /** Absolute; undefined: the name stands alone. */
  logoUrl: string | undefined;
  /** Where people sign in. */
  signInUrl: string;
}

/** @param baseUrl the public address of the service. */
export const mailBrandOf = ({ name, accent, logoPath }: BrandSettings, baseUrl: string): MailBrand => ({
  name,
  button: accentColours(accent).light,
  logoUrl: logoPath === undefined ? undefined : logoUrlFor(logoPath, baseUrl),
  signInUrl: `${baseUrl}/login`,
});

/** Mail programs load pictures over https only, and hardly any shows an SVG. */
function logoUrlFor(logoPath: string, baseUrl: string): string | undefined {
  const { protocol, href } = new URL(logoPath, baseUrl);
  return protocol === 'https:' && !/\.svgz?$/i.test(logoPath) ? href : undefined;
}
