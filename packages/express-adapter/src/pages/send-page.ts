import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Locale } from '@latchkey/core/names';
import { appPage, type AppContent } from './app-frame.js';
import { basePathOf } from './base-path.js';
import type { Markup } from './markup.js';
import { framedPage, type PageContent, type PageKit, type PageRendering } from './page-frame.js';

/** 128 bits, as CSP Level 3, section 7.1 requires. */
const NONCE_BYTES = 16;

interface PageRequest {
  request: Request;
  response: Response;
  /** Public address of the service. */
  baseUrl: string;
  /** Public path of the service. Defaults to that of the public address. */
  basePath?: string;
  locale: Locale;
}

export function sendPage(
  kit: PageKit,
  content: PageContent | AppContent,
  { request, response, baseUrl, basePath = basePathOf(baseUrl, request), locale }: PageRequest,
): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, content));
  response.setHeader(
    'Permissions-Policy',
    'publickey-credentials-get=(self), camera=(), microphone=(), geolocation=()',
  );
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Language', locale);
  response.vary('Accept-Language');
  const text = Buffer.from(rendered(kit, content, { basePath, locale, nonce }).toString());
  response.setHeader('Content-Length', text.length);
  // Not `send`: it could respond with 304, but every response has its own nonce.
  response.end(text);
}

const isApp = (content: PageContent | AppContent): content is AppContent => 'layout' in content;

const rendered = (kit: PageKit, content: PageContent | AppContent, rendering: PageRendering): Markup =>
  isApp(content) ? appPage(kit, content, rendering) : framedPage(kit, content, rendering);

/** Reports whether the script may show the QR code of an authenticator app. */
const showsImages = (content: PageContent | AppContent): boolean =>
  isApp(content) ? content.showsImages === true : content.signsIn === true;

/** Reports whether the page shows documents of this host in frames. */
const showsFrames = (content: PageContent | AppContent): boolean =>
  !isApp(content) && content.hasFrames === true;

/** Forbids inline scripts, markup made by scripts, requests to other hosts, and forms that the browser submits itself. */
const contentSecurityPolicy = (nonce: string, content: PageContent | AppContent): string =>
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
