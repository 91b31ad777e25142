import { Router, type Request, type RequestHandler } from 'express';
import { AuthError, type Auth } from '@latchkey/core';
import { sendError } from '../http/error-response.js';
import { assignRequestId } from '../http/request-id.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { lookOf } from './brand.js';
import { forceHttps } from './force-https.js';
import { loginPage } from './login.js';
import { loadPageAssets } from './page-assets.js';
import type { PageContent, PageKit } from './page-frame.js';
import { ACCEPT_PATH, LOGIN_PATH, RESET_PATH } from './page-paths.js';
import { resetPasswordPage } from './reset-password.js';
import { sendPage } from './send-page.js';

/** The pages people meet, by path. Opening one changes nothing: mail scanners open links too. */
const PAGES: Record<string, (auth: Auth, request: Request) => PageContent> = {
  [LOGIN_PATH]: loginPage,
  [ACCEPT_PATH]: acceptInvitationPage,
  [RESET_PATH]: resetPasswordPage,
};

export function authPages(auth: Auth): Router {
  const { http, brand } = auth.settings;
  const look = lookOf(brand);
  const kit: PageKit = { brand: look, assets: loadPageAssets(look) };
  const secure = http.forceHttps ? [forceHttps(http.baseUrl)] : [];
  // A slash at the end would lead the links between the pages astray.
  const router = Router({ strict: true });
  const get = onlyGet(auth);
  for (const [path, send] of kit.assets.handlers) router.all(path, get, send);
  for (const [path, contentFor] of Object.entries(PAGES)) {
    router.all(path, get, ...secure, (request, response) => {
      sendPage(kit, contentFor(auth, request), { request, response, baseUrl: http.baseUrl });
    });
  }
  return router;
}

/** As on every path of the service, other methods find nothing. Express itself would answer HEAD and OPTIONS. */
const onlyGet =
  (auth: Auth): RequestHandler =>
  (request, response, next) => {
    assignRequestId(request, response);
    if (request.method === 'GET') next();
    else sendError(response, AuthError.notFound('The endpoint'), { logger: auth.logger });
  };
