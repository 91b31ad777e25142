import type { Auth } from '@latchkey/core';
import { methodOf, prefersHtml, type Exchange, type HttpResponse } from '@latchkey/http/internal';
import { basePathOf } from './base-path.js';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import type { PageContent } from './page-frame.js';
import { pageKitOf } from './page-kit.js';
import { localeOf } from './page-locale.js';
import { LOGIN_PATH } from './page-paths.js';
import { pageResponse } from './page-response.js';

/** Returns a link that looks like a button. */
const linkButton = (href: string, label: string | Markup, rank: 'primary' | 'secondary'): Markup => markup`
<a class="${rank}" href="${href}">${label}</a>`;

/** Returns the page with status 404 for a browser, in the language of the user; undefined for other clients and methods. */
export function notFoundResponse(auth: Auth, exchange: Exchange): HttpResponse | undefined {
  const { request, headers } = exchange;
  headers.vary('Accept');
  if (methodOf(request) !== 'GET' || !prefersHtml(request)) return undefined;
  const { http, defaultLocale } = auth.settings;
  const locale = localeOf(request, defaultLocale);
  const content = notFoundContent(MESSAGES[locale], http.webAppUrl, basePathOf(http.baseUrl, request));
  return pageResponse(pageKitOf(auth), content, { exchange, baseUrl: http.baseUrl, locale, status: 404 });
}

function notFoundContent(
  { notFound }: Messages,
  webAppUrl: string | undefined,
  basePath: string,
): PageContent {
  const signIn = linkButton(
    basePath + LOGIN_PATH,
    notFound.signIn,
    webAppUrl === undefined ? 'primary' : 'secondary',
  );
  return {
    title: notFound.title,
    data: {},
    views: markup`
<h1>${notFound.title}</h1>
<p class="lead">${notFound.explanation}</p>
<div class="actions">
${webAppUrl === undefined ? '' : linkButton(webAppUrl, fillIn(notFound.goToApp, { host: new URL(webAppUrl).host }), 'primary')}
${signIn}
</div>`,
  };
}
