import type { RequestHandler, Response } from 'express';
import type { Auth } from '@latchkey/core';
import { prefersHtml } from '../http/prefers-html.js';
import { methodOf } from '../http/request-method.js';
import { basePathOf } from './base-path.js';
import type { HomeFacts } from './home-facts.js';
import { homeViews } from './home-views.js';
import { isLocal } from './local-only.js';
import { pageKitOf } from './page-kit.js';
import { LOGIN_PATH } from './page-paths.js';
import { sendPage } from './send-page.js';

/**
 * Creates a middleware for browsers that open `/`: in development and on the same machine a page with the addresses and the
 * setup of the service, else a redirect to `WEB_APP_URL` or to `/login`. Other clients and methods are passed on.
 * @param facts returns the facts, or undefined while they are not known.
 * @example
 * ```ts
 * app.get('/', homePage(auth, () => undefined));
 * const server = app.listen(0);
 * const { port } = server.address() as { port: number };
 * const headers = { accept: 'text/html' };
 * (await fetch(`http://127.0.0.1:${port}/`, { headers, redirect: 'manual' })).headers.get('location'); // → '/login'
 * server.close();
 * ```
 */
export function homePage(auth: Auth, facts: () => HomeFacts | undefined): RequestHandler {
  const { environment, http } = auth.settings;
  const kit = pageKitOf(auth);
  const isShown = environment !== 'production';
  return (request, response, next) => {
    response.vary('Accept');
    if (methodOf(request) !== 'GET' || !prefersHtml(request)) {
      next();
      return;
    }
    const known = facts();
    if (!isShown || !known || !isLocal(request)) {
      redirect(response, http.webAppUrl ?? basePathOf(http.baseUrl, request) + LOGIN_PATH);
      return;
    }
    const { baseUrl: basePath } = request;
    const content = {
      title: 'Development',
      layout: 'wide',
      data: {},
      views: homeViews(auth, known, basePath),
    } as const;
    sendPage(kit, content, { request, response, baseUrl: http.baseUrl, basePath, locale: 'en' });
  };
}

function redirect(response: Response, location: string): void {
  response.status(302).setHeader('Location', location);
  response.end();
}
