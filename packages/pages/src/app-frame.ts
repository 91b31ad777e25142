import { directionOf } from '@latchkey/core/names';
import type { BrandLook } from './brand.js';
import { markup, type Markup } from './markup.js';
import { MESSAGES } from './messages/messages.js';
import type { PageScript } from './page-assets.js';
import { dataAttributes, footerLinks, type PageKit, type PageRendering } from './page-frame.js';

/** A page that its script renders as a whole. */
export interface AppContent {
  layout: 'app';
  title: string;
  script: PageScript;
  /** Data for the script, as `data-` attributes of the body. */
  data: Record<string, string>;
  /** True if the script may show images that it makes, such as a QR code. */
  showsImages?: boolean;
}

/** Returns the page around a script that renders the rest. */
export const appPage = (
  { brand, assets }: PageKit,
  { title, script, data }: AppContent,
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
<link rel="stylesheet" href="${basePath}${assets.pathOf('app.css')}" nonce="${nonce}">
<script type="module" blocking="render" src="${basePath}${assets.scriptPathOf(script, locale)}" nonce="${nonce}"></script>
</head>
<body class="app" ${dataAttributes({ ...data, base: basePath, brand: brand.name })}>
<header class="app-bar">
${brandOf(brand, basePath + assets.pathOf('mark.svg'))}
</header>
<div id="app" class="app-root">
<main>
<h1>${title}</h1>
<noscript><p class="notice info">${MESSAGES[locale].frame.needsScripts}</p></noscript>
</main>
</div>
${footerLinks(brand, MESSAGES[locale].frame)}
</body>
</html>
`;

/** Returns logo and name. A logo shows the name, so that is its text alternative only. */
const brandOf = ({ name, logoPath, logoDarkPath }: BrandLook, mark: string): Markup =>
  logoPath === undefined
    ? markup`<div class="app-brand">
<img src="${mark}" alt="" class="logo">
<span class="brand-name">${name}</span>
</div>`
    : markup`<div class="app-brand">
<picture>
${logoDarkPath === undefined ? '' : markup`<source srcset="${logoDarkPath}" media="(prefers-color-scheme: dark)">`}
<img src="${logoPath}" alt="${name}" class="logo">
</picture>
</div>`;
