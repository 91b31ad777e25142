import { randomBytes } from 'node:crypto';
import type { Locale } from '@latchkey/core/names';
import { type Exchange, type HttpResponse, textResponse } from '@latchkey/http/internal';
import { appPage, type AppContent } from './app-frame.js';
import { basePathOf } from './base-path.js';
import { consoleFrame, type ConsoleContent } from './console-frame.js';
import type { Markup } from './markup.js';
import { framedPage, type PageContent, type PageKit, type PageRendering } from './page-frame.js';

/** 128 bits, as CSP Level 3, section 7.1 requires. */
const NONCE_BYTES = 16;

interface PageRequest {
  exchange: Exchange;
  /** Public address of the service. */
  baseUrl: string;
  /** Public path of the service. Defaults to that of the public address. */
  basePath?: string;
  locale: Locale;
  /** Defaults to 200. */
  status?: number | undefined;
}

/** A page of any layout. */
export type AnyContent = PageContent | AppContent | ConsoleContent;

/** Returns the response with a page. It has no ETag: every response has its own nonce. */
export function pageResponse(
  kit: PageKit,
  content: AnyContent,
  { exchange, baseUrl, basePath = basePathOf(baseUrl, exchange.request), locale, status = 200 }: PageRequest,
): HttpResponse {
  const { headers } = exchange;
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, content));
  headers.set(
    'Permissions-Policy',
    'publickey-credentials-get=(self), camera=(), microphone=(), geolocation=()',
  );
  headers.set('Content-Language', locale);
  headers.vary('Accept-Language');
  const text = rendered(kit, content, { basePath, locale, nonce }).toString();
  return textResponse(exchange, status, { type: 'text/html; charset=utf-8', text });
}

function rendered(kit: PageKit, content: AnyContent, rendering: PageRendering): Markup {
  if (content.layout === 'app') return appPage(kit, content, rendering);
  if (content.layout === 'console') return consoleFrame(kit, content, rendering);
  return framedPage(kit, content, rendering);
}

/** Reports whether the script may show the QR code of an authenticator app. */
const showsImages = (content: AnyContent): boolean =>
  ('signsIn' in content && content.signsIn) || ('showsImages' in content && content.showsImages);

/** Reports whether the page shows documents of this host in frames. */
const showsFrames = (content: AnyContent): boolean => 'hasFrames' in content && content.hasFrames;

/** Forbids inline scripts, markup made by scripts, requests to other hosts, and forms that the browser submits itself. */
const contentSecurityPolicy = (nonce: string, content: AnyContent): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // Only a script can make a `blob:` address, so markup that an attacker adds shows no image of its own.
    `img-src 'self'${showsImages(content) ? ' blob:' : ''}`,
    "connect-src 'self'",
    ...(showsFrames(content) ? ["frame-src 'self'"] : []),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
