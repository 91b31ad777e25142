import type { Auth } from '@latchkey/core';
import type { BrandLook } from './brand.js';
import { markup, type Markup } from './markup.js';
import { MESSAGES } from './messages/messages.js';
import { footerLinks } from './page-frame.js';
import { pageKitOf } from './page-kit.js';

/** Returns the API reference in the frame of the product. Its addresses are relative, so that it works below any path. */
export function referencePage(auth: Auth): string {
  const { brand, assets } = pageKitOf(auth);
  const mark = assets.pathOf('mark.svg').slice(1);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${brand.name}</title>
<link rel="icon" href="${mark}" type="image/svg+xml">
<link rel="stylesheet" href="docs/viewer/swagger-ui.css">
<link rel="stylesheet" href="docs/style.css">
<script src="docs/viewer/swagger-ui-bundle.js" defer></script>
<script type="module" src="docs/start.js"></script>
</head>
<body>
<header class="top">
<a class="home" href="./">${logoOf(brand, mark)}</a>
<p>API reference</p>
<nav aria-label="Documents"><a href="openapi.json">OpenAPI document</a></nav>
</header>
<noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<div class="reference">
<nav id="groups" aria-label="Groups of operations"><ul></ul></nav>
<div id="viewer"></div>
</div>
${footerLinks(brand, MESSAGES.en.frame)}
</body>
</html>
`.toString();
}

const logoOf = ({ name, logoPath, logoDarkPath }: BrandLook, mark: string): Markup =>
  logoPath === undefined
    ? markup`<img src="${mark}" alt="" width="28" height="28"> <span>${name}</span>`
    : markup`<picture>${logoDarkPath === undefined ? '' : markup`<source srcset="${logoDarkPath}" media="(prefers-color-scheme: dark)">`}<img src="${logoPath}" alt="${name}" height="32"></picture>`;
