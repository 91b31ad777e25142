import { randomBytes } from 'node:crypto';
import type { Locale } from '@latchkey/core/names';
import { type Exchange, type HttpResponse, textResponse } from '@latchkey/http/internal';
import { basePathOf } from './base-path.js';
import { framedPage, type PageContent, type PageKit } from './page-frame.js';

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

/** Returns the response with a page. It has no ETag: every response has its own nonce. */
export function pageResponse(
  kit: PageKit,
  content: PageContent,
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
  const text = framedPage(kit, content, { basePath, locale, nonce }).toString();
  return textResponse(exchange, status, { type: 'text/html; charset=utf-8', text });
}

/** Forbids inline scripts, markup made by scripts, requests to other hosts, and forms that the browser submits itself. */
const contentSecurityPolicy = (nonce: string, content: PageContent): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // Only a script can make a `blob:` address, so markup that an attacker adds shows no image of its own.
    `img-src 'self'${content.signsIn || content.showsImages ? ' blob:' : ''}`,
    "connect-src 'self'",
    ...(content.hasFrames ? ["frame-src 'self'"] : []),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
