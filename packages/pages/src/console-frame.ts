import { directionOf } from '@latchkey/core/names';
import { markup, type Markup } from './markup.js';
import { MESSAGES } from './messages/messages.js';
import type { PageScript } from './page-assets.js';
import { dataAttributes, type PageKit, type PageRendering } from './page-frame.js';

/** The console: its script renders everything, the navigation with name and logo of the product too. */
export interface ConsoleContent {
  layout: 'console';
  title: string;
  script: PageScript;
  /** Data for the script, as `data-` attributes of the body. */
  data: Record<string, string>;
}

const STYLES = ['app.css', 'console.css'] as const;

export function consoleFrame(
  { brand, assets }: PageKit,
  { title, script, data }: ConsoleContent,
  { basePath, locale, nonce }: PageRendering,
): Markup {
  const mark = basePath + assets.pathOf('mark.svg');
  const { name, logoPath = '', logoDarkPath = '' } = brand;
  const look = { brand: name, mark, logo: logoPath, 'logo-dark': logoDarkPath };
  const attributes = { ...data, base: basePath, ...look };
  return markup`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${brand.name}</title>
<link rel="icon" href="${mark}" type="image/svg+xml">
${STYLES.map((name) => markup`<link rel="stylesheet" href="${basePath}${assets.pathOf(name)}" nonce="${nonce}">`)}
<script type="module" blocking="render" src="${basePath}${assets.scriptPathOf(script, locale)}" nonce="${nonce}"></script>
</head>
<body class="app console" ${dataAttributes(attributes)}>
<div id="app">
<noscript><main class="outside"><h1>${title}</h1><p class="notice">${MESSAGES[locale].frame.needsScripts}</p></main></noscript>
</div>
</body>
</html>
`;
}
