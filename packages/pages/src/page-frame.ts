import { directionOf, type Locale } from '@latchkey/core/names';
import type { BrandLook } from './brand.js';
import { markup, type Markup } from './markup.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import type { AssetName, PageAssets, PageScript } from './page-assets.js';

/** Brand and files that all pages share. */
export interface PageKit {
  brand: BrandLook;
  assets: PageAssets;
}

/** A column for a form, the width of a screen, a page with navigation, or the console. */
type Layout = 'card' | 'wide' | 'app' | 'console';

export interface PageContent {
  title: string;
  /** Undefined for a page that works without one. */
  script?: PageScript;
  /** Defaults to a column. */
  layout?: Layout;
  /** Data for the script, as `data-` attributes of the body. */
  data: Record<string, string>;
  /** The views that the service renders. If undefined, the script renders the page. */
  views?: Markup;
  /** A notice about the service, above the views of a page in a column. */
  notice?: Markup;
  /** True if users sign in on this page: the browser gets the cookie by which it is recognized later. */
  signsIn?: boolean;
  /** True if the script may show images that it makes, such as the QR code of an authenticator app. */
  showsImages?: boolean;
  /** True if users choose a password on this page: its script loads on demand what estimates its strength. */
  choosesPassword?: boolean;
  /** True if the page shows other pages of this host in frames. */
  hasFrames?: boolean;
}

/** Values of one response. */
interface PageRendering {
  /** Public path of the service, without a trailing slash. */
  basePath: string;
  locale: Locale;
  /** Allows the script and style of this response only (CSP Level 3, section 2.3.1). */
  nonce: string;
}

const STYLES: Record<Layout, readonly AssetName[]> = {
  card: ['pages.css'],
  wide: ['pages.css', 'wide.css'],
  app: ['app.css'],
  console: ['app.css', 'console.css'],
};

const BODY_CLASSES: Partial<Record<Layout, Markup>> = {
  app: markup`class="app" `,
  console: markup`class="app console" `,
};

/** Returns a page. Without scripts it has the frame, its title, and the sentence that it needs them. */
export function framedPage(
  { brand, assets }: PageKit,
  page: PageContent,
  { basePath, locale, nonce }: PageRendering,
): Markup {
  const { title, script, layout = 'card', data, views, notice } = page;
  const mark = basePath + assets.pathOf('mark.svg');
  const texts = MESSAGES[locale].frame;
  const hint = script
    ? markup`<noscript><p class="notice info">${texts.needsScripts}</p></noscript>`
    : markup``;
  const content = views ? markup`${hint}${views}` : markup`<h1>${title}</h1>${hint}`;
  const attributes = {
    ...data,
    ...scriptsOnDemand(assets, page, { basePath, locale }),
    base: basePath,
    ...(layout === 'console' ? lookOf(brand, mark) : { brand: brand.name }),
  };
  return markup`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${brand.name}</title>
<link rel="icon" href="${mark}" type="image/svg+xml">
${STYLES[layout].map((name) => markup`<link rel="stylesheet" href="${basePath}${assets.pathOf(name)}" nonce="${nonce}">`)}
${script === undefined ? '' : markup`<script type="module" blocking="render" src="${basePath}${assets.scriptPathOf(script, locale)}" nonce="${nonce}"></script>`}
</head>
<body ${BODY_CLASSES[layout] ?? ''}${dataAttributes(attributes)}>
${BODIES[layout]({ content, id: views ? markup`` : markup` id="app"`, header: brandOf(brand, mark), hasLogo: brand.logoPath !== undefined, footer: footerLinks(brand, texts), notice: notice ?? markup``, layout })}
<p class="visually-hidden" role="status" data-announcer></p>
</body>
</html>
`;
}

interface BodyParts {
  content: Markup;
  /** That of the element which the script fills. */
  id: Markup;
  header: Markup;
  /** True if the header has the logo of the brand in place of its name. */
  hasLogo: boolean;
  footer: Markup;
  notice: Markup;
  layout: Layout;
}

const cardBody = ({ content, id, header, hasLogo, footer, notice, layout }: BodyParts): Markup => markup`
<header class="${hasLogo ? 'brand with-logo' : 'brand'}">${header}</header>
${notice}
<main${id} class="${layout}">
${content}
</main>
${footer}`;

const BODIES: Record<Layout, (parts: BodyParts) => Markup> = {
  card: cardBody,
  wide: cardBody,
  app: ({ content, id, header, footer }) => markup`
<header class="app-bar"><div class="app-brand">${header}</div></header>
<div${id} class="app-root">
<main>${content}</main>
</div>
${footer}`,
  // Its script renders the navigation with name and logo, too.
  console: ({ content, id, header }) => markup`
<div${id}>
<header class="app-bar"><div class="app-brand">${header}</div></header>
<main class="outside">${content}</main>
</div>`,
};

/** Returns the addresses of the scripts that the script of a page loads on demand. */
function scriptsOnDemand(
  assets: PageAssets,
  { script, choosesPassword }: PageContent,
  { basePath, locale }: Pick<PageRendering, 'basePath' | 'locale'>,
): Record<string, string> {
  const secondStep = script === undefined ? '' : assets.secondStepPathOf(script, locale);
  const strength = choosesPassword ? assets.scriptPathOf('password-strength.js', locale) : '';
  return {
    ...(secondStep !== '' && { 'second-step-script': basePath + secondStep }),
    ...(strength !== '' && { 'password-strength-script': basePath + strength }),
  };
}

/** Returns the look of the product for a script that renders the frame. */
const lookOf = (
  { name, logoPath = '', logoDarkPath = '' }: BrandLook,
  mark: string,
): Record<string, string> => ({
  brand: name,
  mark,
  logo: logoPath,
  'logo-dark': logoDarkPath,
});

/** Returns logo and name. A logo shows the name, so that is its text alternative only. */
const brandOf = ({ name, logoPath, logoDarkPath }: BrandLook, mark: string): Markup =>
  logoPath === undefined
    ? markup`
<img src="${mark}" alt="" class="logo">
<span class="brand-name">${name}</span>`
    : markup`
<picture>
${logoDarkPath === undefined ? '' : markup`<source srcset="${logoDarkPath}" media="(prefers-color-scheme: dark)">`}
<img src="${logoPath}" alt="${name}" class="logo">
</picture>`;

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
function dataAttributes(data: Record<string, string>): Markup[] {
  return Object.entries(data).map(([name, value]) => markup`data-${name}="${value}" `);
}
