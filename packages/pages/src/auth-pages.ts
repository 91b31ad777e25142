import type { Auth } from '@latchkey/core';
import {
  DeviceCookie,
  type Endpoint,
  type HttpRequest,
  type SteadyEndpoint,
  getOnly,
  measured,
} from '@latchkey/http/internal';
import { accountPage } from './account.js';
import { companyPage } from './company.js';
import { consolePage } from './console.js';
import { devMailEndpoints } from './dev-mail.js';
import { externalCallbackPage } from './external-callback.js';
import { firstRunNotice } from './first-administrator.js';
import { firstRunOf } from './first-run.js';
import { httpsRedirect } from './force-https.js';
import { loginPage } from './login.js';
import {
  acceptInvitationPage,
  changeEmailPage,
  rejectRegistrationPage,
  resetPasswordPage,
  undoDeletionPage,
  undoEmailChangePage,
  verifyEmailPage,
} from './mailed-link-pages.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import { notFoundResponse } from './not-found.js';
import { ASSETS_ROUTE } from './page-assets.js';
import type { PageContent } from './page-frame.js';
import { pageKitOf } from './page-kit.js';
import { localeOf } from './page-locale.js';
import {
  ACCEPT_PATH,
  ACCOUNT_PATH,
  CHANGE_EMAIL_PATH,
  COMPANY_PATHS,
  CONSOLE_PATH,
  CONSOLE_PATHS,
  EXTERNAL_CALLBACK_PATH,
  LOGIN_PATH,
  REGISTER_PATH,
  REJECT_PATH,
  RESET_PATH,
  UNDO_DELETION_PATH,
  UNDO_PATH,
  VERIFY_PATH,
} from './page-paths.js';
import { pageResponse } from './page-response.js';
import { registerPage } from './register.js';
import { withSlashRedirects } from './trailing-slash.js';

type Page = (auth: Auth, request: HttpRequest, messages: Messages) => PageContent | Promise<PageContent>;

/** The pages by path. Opening one changes nothing: mail scanners open links too. */
const PAGES: Record<string, Page> = {
  [LOGIN_PATH]: withFirstRunNotice(loginPage),
  [ACCOUNT_PATH]: accountPage,
  [ACCEPT_PATH]: acceptInvitationPage,
  [RESET_PATH]: resetPasswordPage,
  [VERIFY_PATH]: verifyEmailPage,
  [REJECT_PATH]: rejectRegistrationPage,
  [CHANGE_EMAIL_PATH]: changeEmailPage,
  [UNDO_PATH]: undoEmailChangePage,
};

/** Returns the pages of a service: there are none for what its settings turn off. */
const pagesOf = ({ settings: { registration }, external, accountDeletion }: Auth): Record<string, Page> => ({
  ...PAGES,
  ...(registration.enabled && { [REGISTER_PATH]: withFirstRunNotice(registerPage) }),
  ...(accountDeletion && { [UNDO_DELETION_PATH]: undoDeletionPage }),
  ...(external && { [EXTERNAL_CALLBACK_PATH]: externalCallbackPage }),
});

/**
 * Returns the pages of a service and what they load; in development with the inbox of mails. Pass it to what serves the routes.
 * @throws Error when the scripts of the pages have not been built.
 * @example
 * ```ts
 * const handler = createAuthHandler(auth, { clientAddress: unknownAddress, pages: authPages });
 * (await handler(new Request('http://localhost:3097/login'))).headers.get('content-language'); // → 'en'
 * ```
 */
export function authPages(auth: Auth): Endpoint[] {
  const pages = Object.entries(pagesOf(auth)).map(([path, page]) => pageEndpoint(auth, page, { path }));
  const console = auth.settings.console.enabled
    ? CONSOLE_PATHS.map((path) => pageEndpoint(auth, consolePage, { path, route: CONSOLE_PATH }))
    : [];
  const company = auth.settings.companyPages.enabled
    ? COMPANY_PATHS.map((path) => pageEndpoint(auth, companyPage, { path }))
    : [];
  const inbox = auth.inbox ? devMailEndpoints(auth, auth.inbox) : [];
  return [...assetEndpoints(auth), ...withSlashRedirects(auth, [...pages, ...company, ...console]), ...inbox];
}

authPages.notFound = notFoundResponse;

const assetEndpoints = (auth: Auth): Endpoint[] =>
  pageKitOf(auth).assets.endpoints.map((endpoint) => getOnly(auth, measured(auth, ASSETS_ROUTE, endpoint)));

/** Returns a page that says how the first administrator is created while there is none, in development only. */
function withFirstRunNotice(page: (...request: Parameters<Page>) => PageContent): Page {
  return async (auth, request, messages) => {
    const content = page(auth, request, messages);
    if (!(await firstRunOf(auth).isShownTo(request))) return content;
    return { ...content, notice: firstRunNotice(auth, messages) };
  };
}

/** @param route the pattern of the path in the metrics. */
function pageEndpoint(
  auth: Auth,
  contentFor: Page,
  { path, route = path }: { path: string; route?: string },
): Endpoint {
  const { http, defaultLocale } = auth.settings;
  const kit = pageKitOf(auth);
  const serve: SteadyEndpoint['serve'] = async (exchange) => {
    const redirect = http.forceHttps ? httpsRedirect(http.baseUrl, exchange) : undefined;
    if (redirect) return redirect;
    const locale = localeOf(exchange.request, defaultLocale);
    const content = await contentFor(auth, exchange.request, MESSAGES[locale]);
    if (content.signsIn) DeviceCookie.assign(auth, exchange);
    return pageResponse(kit, content, { exchange, baseUrl: http.baseUrl, locale });
  };
  return getOnly(auth, measured(auth, route, { path, serve }));
}
