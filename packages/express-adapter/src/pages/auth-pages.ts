import type { Request, RequestHandler, Router } from 'express';
import type { Auth } from '@latchkey/core';
import { DeviceCookie } from '../http/device-cookie.js';
import { exactRouter } from '../http/exact-router.js';
import { measured } from '../http/measured.js';
import { onlyGet } from '../http/only-get.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { accountPage } from './account.js';
import { changeEmailPage, undoEmailChangePage } from './change-email.js';
import { consolePage } from './console.js';
import { forceHttps } from './force-https.js';
import { loginPage } from './login.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import { ASSETS_ROUTE } from './page-assets.js';
import { pageKitOf } from './page-kit.js';
import { localeOf } from './page-locale.js';
import {
  ACCEPT_PATH,
  ACCOUNT_PATH,
  CHANGE_EMAIL_PATH,
  CONSOLE_PATH,
  CONSOLE_PATHS,
  LOGIN_PATH,
  REGISTER_PATH,
  REJECT_PATH,
  RESET_PATH,
  UNDO_PATH,
  VERIFY_PATH,
} from './page-paths.js';
import { registerPage } from './register.js';
import { rejectRegistrationPage } from './reject-registration.js';
import { resetPasswordPage } from './reset-password.js';
import { sendPage, type AnyContent } from './send-page.js';
import { verifyEmailPage } from './verify-email.js';

type Page = (auth: Auth, request: Request, messages: Messages) => AnyContent;

/** The pages by path. Opening one changes nothing: mail scanners open links too. */
const PAGES: Record<string, Page> = {
  [LOGIN_PATH]: loginPage,
  [ACCOUNT_PATH]: accountPage,
  [ACCEPT_PATH]: acceptInvitationPage,
  [RESET_PATH]: resetPasswordPage,
  [VERIFY_PATH]: verifyEmailPage,
  [REJECT_PATH]: rejectRegistrationPage,
  [CHANGE_EMAIL_PATH]: changeEmailPage,
  [UNDO_PATH]: undoEmailChangePage,
};

/** Returns the pages of a service: where no one may register, there is no page for it. */
const pagesOf = ({ settings: { registration } }: Auth): Record<string, Page> => ({
  ...PAGES,
  ...(registration.enabled && { [REGISTER_PATH]: registerPage }),
});

/** Creates a router with the pages. @param headers sets the headers that every response of the service has. */
export function authPages(auth: Auth, headers: RequestHandler): Router {
  const { http, defaultLocale } = auth.settings;
  const kit = pageKitOf(auth);
  const secure = http.forceHttps ? [forceHttps(http.baseUrl)] : [];
  // A trailing slash would break the relative links between pages.
  const router = exactRouter();
  const get = onlyGet(auth);
  for (const [path, send] of kit.assets.handlers) {
    router.all(path, headers, get, measured(auth, ASSETS_ROUTE), send);
  }
  const serve = (path: string | string[], route: string, contentFor: Page): void => {
    router.all(path, headers, get, measured(auth, route), ...secure, (request, response) => {
      const locale = localeOf(request, defaultLocale);
      const content = contentFor(auth, request, MESSAGES[locale]);
      if ('signsIn' in content && content.signsIn) DeviceCookie.assign(auth, request, response);
      sendPage(kit, content, { request, response, baseUrl: http.baseUrl, locale });
    });
  };
  for (const [path, contentFor] of Object.entries(pagesOf(auth))) serve(path, path, contentFor);
  if (auth.settings.console.enabled) serve(CONSOLE_PATHS, CONSOLE_PATH, consolePage);
  return router;
}
