import type { RequestHandler } from 'express';
import type { Auth } from '@latchkey/core';
import { prefersHtml } from '../http/prefers-html.js';
import { methodOf } from '../http/request-method.js';
import { basePathOf } from './base-path.js';
import { linkButton } from './controls.js';
import { markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import type { PageContent } from './page-frame.js';
import { pageKitOf } from './page-kit.js';
import { localeOf } from './page-locale.js';
import { LOGIN_PATH } from './page-paths.js';
import { sendPage } from './send-page.js';

/**
 * Creates a middleware that answers browsers with a page and status 404, in the language of the user. Other clients and
 * methods are passed on, so mount it last, before the handler that responds in JSON, and after `answerHeaders`.
 * @example
 * ```ts
 * app.use(createAuthRouter(auth), answerHeaders(auth), notFoundPage(auth));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * const response = await fetch(`http://127.0.0.1:${port}/nowhere`, { headers: { accept: 'text/html' } });
 * [response.status, (await response.text()).includes('Page not found')]; // → [404, true]
 * server.close();
 * ```
 */
export function notFoundPage(auth: Auth): RequestHandler {
  const { http, defaultLocale } = auth.settings;
  const kit = pageKitOf(auth);
  return (request, response, next) => {
    response.vary('Accept');
    if (methodOf(request) !== 'GET' || !prefersHtml(request)) {
      next();
      return;
    }
    const locale = localeOf(request, defaultLocale);
    const content = notFoundContent(MESSAGES[locale], http.webAppUrl, basePathOf(http.baseUrl, request));
    response.status(404);
    sendPage(kit, content, { request, response, baseUrl: http.baseUrl, locale });
  };
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
