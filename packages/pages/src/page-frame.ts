import { directionOf, type Locale } from '@latchkey/core/names';
import type { BrandLook } from './brand.js';
import { markup, type Markup } from './markup.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import type { PageAssets, PageScript } from './page-assets.js';

/** Brand and files that all pages share. */
export interface PageKit {
  brand: BrandLook;
  assets: PageAssets;
}

export interface PageContent {
  title: string;
  /** Undefined for a page that works without one. */
  script?: PageScript;
  /** A column for a form, or the width of a screen. Defaults to a column. */
  layout?: 'card' | 'wide';
  /** Data for the script, as `data-` attributes of the body. */
  data: Record<string, string>;
  /** The views of the page; its script shows one at a time. */
  views: Markup;
  /**
   * True if users sign in on this page. Its script may show the QR code of an authenticator app, and the browser gets the
   * cookie by which it is recognized later.
   */
  signsIn?: boolean;
  /** True if the page shows other pages of this host in frames. */
  hasFrames?: boolean;
}

/** Values of one response. */
export interface PageRendering {
  /** Public path of the service, without a trailing slash. */
  basePath: string;
  locale: Locale;
  /** Allows the script and style of this response only (CSP Level 3, section 2.3.1). */
  nonce: string;
}

export const framedPage = (
  { brand, assets }: PageKit,
  { title, script, layout = 'card', data, views }: PageContent,
  { basePath, locale, nonce }: PageRendering,
): Markup => markup`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${brand.name}</title>
<link rel="icon" href="${basePath}${assets.pathOf('mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}${assets.pathOf('pages.css')}" nonce="${nonce}">
${layout === 'wide' ? markup`<link rel="stylesheet" href="${basePath}${assets.pathOf('wide.css')}" nonce="${nonce}">` : ''}
${script === undefined ? '' : markup`<script type="module" blocking="render" src="${basePath}${assets.scriptPathOf(script, locale)}" nonce="${nonce}"></script>`}
</head>
<body ${dataAttributes({ ...data, base: basePath, brand: brand.name })}>
${brand.logoPath === undefined ? nameHeader(brand, basePath + assets.pathOf('mark.svg')) : logoHeader(brand, brand.logoPath)}
<main class="${layout}">
${script === undefined ? '' : markup`<noscript><p class="notice info">${MESSAGES[locale].frame.needsScripts}</p></noscript>`}
${views}
</main>
${footerLinks(brand, MESSAGES[locale].frame)}
<p class="visually-hidden" role="status" data-announcer></p>
</body>
</html>
`;

const nameHeader = ({ name }: BrandLook, mark: string): Markup => markup`<header class="brand">
<img src="${mark}" alt="" class="logo">
<span class="brand-name">${name}</span>
</header>`;

/** The logo shows the name, so the name is its text alternative only. */
const logoHeader = (
  { name, logoDarkPath }: BrandLook,
  logo: string,
): Markup => markup`<header class="brand with-logo">
<picture>
${logoDarkPath === undefined ? '' : markup`<source srcset="${logoDarkPath}" media="(prefers-color-scheme: dark)">`}
<img src="${logo}" alt="${name}" class="logo">
</picture>
</header>`;

/** Returns the links of the operator. They open in a new tab, because a form may be half filled in. */
export function footerLinks({ links }: BrandLook, texts: Messages['frame']): Markup {
  const items = (['terms', 'privacy', 'support'] as const).flatMap((name) =>
    links[name] === undefined
      ? []
      : markup`<li><a href="${links[name]}" target="_blank" rel="noopener">${texts[name]}</a></li>`,
  );
  return items.length === 0 ? markup`` : markup`<footer class="footer"><ul>${items}</ul></footer>`;
}

/** Returns the data of a script as attributes. */
export function dataAttributes(data: Record<string, string>): Markup[] {
  return Object.entries(data).map(([name, value]) => markup`data-${name}="${value}" `);
}
