import type { Auth } from '@latchkey/core';
import { type HttpRequest, queryOf } from '@latchkey/http/internal';
import type { Messages } from './messages/messages.js';
import { appData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { safeReturnTo } from './return-to.js';

/**
 * `GET /login?returnTo=…`: email and password, or a passkey; a second step where the account has one; then back. With `by=mail` the user
 * signs in by a mailed link or code, whose link leads there, too.
 */
export function loginPage(auth: Auth, request: HttpRequest, { login }: Messages): PageContent {
  return {
    title: login.title,
    script: auth.mailedSignIn && queryOf(request).by === 'mail' ? 'mailed-sign-in.js' : 'login.js',
    data: {
      ...appData(auth),
      'return-to': safeReturnTo(queryOf(request).returnTo, auth.settings.http) ?? '',
      'may-register': String(auth.settings.registration.enabled),
    },
    signsIn: true,
  };
}
