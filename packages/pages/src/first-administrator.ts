import type { Auth } from '@latchkey/core';
import { createUserInput, passwordResetConfirmInput } from '@latchkey/core/schemas';
import {
  anyone,
  apiEndpoints,
  getOnly,
  measured,
  route,
  type Endpoint,
  type Exchange,
  type HttpResponse,
} from '@latchkey/http/internal';
import { firstRunOf, type FirstRun } from './first-run.js';
import { localOnly } from './local-only.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import { passwordData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { pageKitOf } from './page-kit.js';
import { localeOf } from './page-locale.js';
import { ACCOUNT_PATH, BOOTSTRAP_COMMAND, CONSOLE_PATH, FIRST_ADMINISTRATOR_PATH } from './page-paths.js';
import { pageResponse } from './page-response.js';
import { withSlashRedirects } from './trailing-slash.js';

const ROUTE_PATH = `/auth${FIRST_ADMINISTRATOR_PATH}`;

/**
 * Returns the page of the printed link, and the route that it calls. Neither exists in production, for requests from other
 * machines or through a proxy.
 */
export function firstAdministratorEndpoints(auth: Auth): Endpoint[] {
  if (auth.settings.environment === 'production') return [];
  const firstRun = firstRunOf(auth);
  const page = getOnly(
    auth,
    measured(auth, FIRST_ADMINISTRATOR_PATH, {
      path: FIRST_ADMINISTRATOR_PATH,
      serve: (exchange) => servePage(auth, firstRun, exchange),
    }),
  );
  return [...withSlashRedirects(auth, [page]), ...apiEndpoints(auth, [createFirstAdministrator])].map(
    localOnly,
  );
}

/** It is not in the table of all routes: programs use `latchkey bootstrap`. */
const createFirstAdministrator = route({
  method: 'post',
  path: ROUTE_PATH,
  operationId: 'createFirstAdministrator',
  tag: 'Sign-in',
  summary: 'Create the first superadmin with the link that the service printed',
  description: 'Only outside production and from the machine of the service, while there is no superadmin.',
  failures: ['conflict'],
  limit: 'anonymous-write',
  hashesPassword: true,
  caller: anyone,
  body: createUserInput
    .pick({ email: true, fullName: true, password: true })
    .required({ password: true })
    .extend(passwordResetConfirmInput.pick({ token: true }).shape),
  newPassword: 'password',
  reply: createUserInput.pick({ email: true }),
  status: 201,
  handle: ({ auth, body: { token, ...administrator }, client }) =>
    firstRunOf(auth).create(token, administrator, client),
});

async function servePage(auth: Auth, firstRun: FirstRun, exchange: Exchange): Promise<HttpResponse> {
  const { http, defaultLocale } = auth.settings;
  const locale = localeOf(exchange.request, defaultLocale);
  const content = pageContent(auth, await firstRun.isNeeded(), MESSAGES[locale]);
  // The address is a local one, whatever the public address is.
  const { mountPath: basePath } = exchange.request;
  return pageResponse(pageKitOf(auth), content, { exchange, baseUrl: http.baseUrl, basePath, locale });
}

function pageContent(auth: Auth, isNeeded: boolean, { firstRun }: Messages): PageContent {
  const { console: staffConsole } = auth.settings;
  return {
    title: firstRun.title,
    script: 'first-administrator.js',
    data: {
      ...passwordData(auth),
      command: BOOTSTRAP_COMMAND,
      next: staffConsole.enabled ? CONSOLE_PATH : ACCOUNT_PATH,
      needed: String(isNeeded),
    },
    choosesPassword: true,
  };
}
