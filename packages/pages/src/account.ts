import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import type { Messages } from './messages/messages.js';
import { appData } from './page-data.js';
import type { PageContent } from './page-frame.js';

/** `GET /account`: the signed-in user's profile, ways to sign in, sessions, and what is kept about them. */
export function accountPage(auth: Auth, _request: HttpRequest, { account }: Messages): PageContent {
  const { passwords, registration } = auth.settings;
  return {
    layout: 'app',
    title: account.title,
    script: 'account.js',
    data: {
      ...appData(auth),
      ...(auth.staffActing && { 'is-for-acting': 'true' }),
      'has-company-pages': String(auth.settings.companyPages.enabled),
      'min-password-length': String(passwords.minLength),
      'breach-list': String(passwords.breachList !== undefined),
      ...(auth.accountDeletion && { 'account-deletion': 'true' }),
      'email-verification': String(registration.emailVerification !== 'off'),
    },
    showsImages: true,
  };
}
