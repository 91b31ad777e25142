import { markup, type Markup } from './markup.js';
import { MESSAGES } from './messages/messages.js';
import type { PageScript } from './page-assets.js';
import { dataAttributes, directionOf, type PageKit, type PageRendering } from './page-frame.js';

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
<link rel="stylesheet" href="${basePath}${assets.pathOf('pages.css')}" nonce="${nonce}">
<link rel="stylesheet" href="${basePath}${assets.pathOf('app.css')}" nonce="${nonce}">
<script type="module" blocking="render" src="${basePath}${assets.scriptPathOf(script, locale)}" nonce="${nonce}"></script>
</head>
<body class="app" ${dataAttributes({ ...data, base: basePath })}>
<header class="app-bar">
<div class="app-brand">
<img src="${brand.logoPath ?? basePath + assets.pathOf('mark.svg')}" alt="" class="app-logo ${brand.logoPath === undefined ? '' : 'app-logo-wide'}">
<span class="brand-name">${brand.name}</span>
</div>
</header>
<div id="app" class="app-root">
<main>
<h1>${title}</h1>
<noscript><p class="notice">${MESSAGES[locale].frame.needsScripts}</p></noscript>
</main>
</div>
</body>
</html>
`;
