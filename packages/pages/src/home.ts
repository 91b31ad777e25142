import type { Auth } from '@latchkey/core';
import {
  type Endpoint,
  type Exchange,
  type HttpResponse,
  methodOf,
  prefersHtml,
} from '@latchkey/http/internal';
import { basePathOf } from './base-path.js';
import { firstRunOf } from './first-run.js';
import type { HomeFacts } from './home-facts.js';
import { homeViews } from './home-views.js';
import { isLocal } from './local-only.js';
import { pageKitOf } from './page-kit.js';
import { LOGIN_PATH } from './page-paths.js';
import { pageResponse } from './page-response.js';

/**
 * Returns what browsers get that open `/`: in development and on the same machine a page with the addresses and the setup of
 * the service, else a redirect to `WEB_APP_URL` or to `/login`. There is nothing for other clients and methods.
 * @param facts returns the facts, or undefined while they are not known.
 */
export function homeEndpoint(auth: Auth, facts: () => HomeFacts | undefined): Endpoint {
  const { environment, http } = auth.settings;
  const kit = pageKitOf(auth);
  const isShown = environment !== 'production';
  const serve: Endpoint['serve'] = (exchange) => {
    const { request, headers } = exchange;
    headers.vary('Accept');
    if (methodOf(request) !== 'GET' || !prefersHtml(request)) return undefined;
    const known = facts();
    if (!isShown || !known || !isLocal(request)) {
      headers.set('Location', http.webAppUrl ?? basePathOf(http.baseUrl, request) + LOGIN_PATH);
      headers.set('Content-Length', '0');
      return { status: 302, headers } satisfies HttpResponse;
    }
    return page(exchange, known);
  };
  const page = async (exchange: Exchange, known: HomeFacts): Promise<HttpResponse> => {
    const { mountPath: basePath } = exchange.request;
    const firstRun = firstRunOf(auth);
    const isFirstRun = await firstRun.isShownTo(exchange.request);
    const content = {
      title: 'Development',
      layout: 'wide',
      data: {},
      views: homeViews(auth, known, { basePath, firstRun: isFirstRun ? firstRun : undefined }),
    } as const;
    return pageResponse(kit, content, { exchange, baseUrl: http.baseUrl, basePath, locale: 'en' });
  };
  return { path: '/', serve };
}
