import type { Auth } from '@latchkey/core';
import {
  DeviceCookie,
  getOnly,
  measured,
  type Endpoint,
  type Exchange,
  type HttpRequest,
  type HttpResponse,
  type SteadyEndpoint,
} from '@latchkey/http/internal';
import { accountPage } from './account.js';
import { basePathOf } from './base-path.js';
import { companyPage } from './company.js';
import { consolePage } from './console.js';
import { devMailEndpoints } from './dev-mail.js';
import { externalCallbackPage } from './external-callback.js';
import { firstRunOf } from './first-run.js';
import { loginPage } from './login.js';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import { notFoundResponse } from './not-found.js';
import { ASSETS_ROUTE } from './page-assets.js';
import { commonData, passwordData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { pageKitOf } from './page-kit.js';
import { localeOf } from './page-locale.js';
import {
  ACCEPT_PATH,
  ACCOUNT_PATH,
  BOOTSTRAP_COMMAND,
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

const command = (): Markup => markup`<code>${BOOTSTRAP_COMMAND}</code>`;

/** Returns the notice of a page that leads nowhere before there is an administrator. */
const firstRunNotice = (auth: Auth, { firstRun: texts }: Messages): Markup => {
  const text = firstRunOf(auth).isLinked ? texts.hint : texts.hintOfCommand;
  return markup`<aside class="notice info">${fillIn(text, { command: command() })}</aside>`;
};

/** `GET /accept-invitation?token=…`: shows the offer of an invitation, which the user accepts with a button. */
const acceptInvitationPage = (
  auth: Auth,
  _request: HttpRequest,
  { acceptInvitation }: Messages,
): PageContent => ({
  title: acceptInvitation.title,
  script: 'accept-invitation.js',
  data: { ...passwordData(auth), 'has-console': String(auth.settings.console.enabled) },
  choosesPassword: true,
  signsIn: true,
});

/** `GET /reset-password`: requests the mail; with the token from that mail, sets the new password. */
const resetPasswordPage = (auth: Auth, _request: HttpRequest, { resetPassword }: Messages): PageContent => ({
  title: resetPassword.title,
  script: 'reset-password.js',
  data: { ...passwordData(auth), 'removes-passkeys': String(auth.settings.passkeys.enabled) },
  choosesPassword: true,
});

/** `GET /verify-email`: proves the mailbox by a button if staff decide on registrations, else by the password. */
const verifyEmailPage = (auth: Auth, _request: HttpRequest, { verifyEmail }: Messages): PageContent => ({
  title: verifyEmail.title,
  script: 'verify-email.js',
  data: {
    ...commonData(auth),
    // The links of new registrations. For others, the route asks for the password.
    'needs-password': String(auth.settings.registration.approval !== 'staff'),
  },
});

/** `GET /reject-registration`: deletes a registration that someone else made with the email of this mailbox. */
const rejectRegistrationPage = buttonPage('rejectRegistration');

/** `GET /change-email`: confirms a new email address. */
const changeEmailPage = buttonPage('changeEmail');

/** `GET /undo-email-change`: restores the former email address, for its owner. */
const undoEmailChangePage = buttonPage('undoEmailChange');

/** `GET /undo-deletion`: keeps an account that is about to be deleted. */
const undoDeletionPage = buttonPage('undoDeletion');

/** Returns a page whose only button sends the token of its link to a route. */
function buttonPage(link: 'rejectRegistration' | 'changeEmail' | 'undoEmailChange' | 'undoDeletion') {
  return (auth: Auth, _request: HttpRequest, { mailedLinks }: Messages): PageContent => ({
    title: mailedLinks[link].title,
    script: 'mailed-link.js',
    data: { ...commonData(auth), link },
  });
}

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

/**
 * Returns the redirect of a request over plain HTTP to the same page over HTTPS. The host is that of the public address: the
 * client controls the one in the request. The path may differ from the requested one: a proxy may have removed a prefix.
 */
function httpsRedirect(baseUrl: string, { request, headers }: Exchange): HttpResponse | undefined {
  if (request.isSecure) return undefined;
  const { host } = new URL(baseUrl);
  const query = request.query === '' ? '' : `?${request.query}`;
  // The parser of addresses encodes what a header must not contain.
  const target = new URL(`https://${host}${basePathOf(baseUrl, request)}${request.path}${query}`);
  headers.set('Location', target.href);
  headers.set('Content-Length', '0');
  return { status: 308, headers };
}
