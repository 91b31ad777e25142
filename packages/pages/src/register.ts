import type { Auth } from '@latchkey/core';
import { type HttpRequest, queryOf } from '@latchkey/http/internal';
import type { Messages } from './messages/messages.js';
import { externalData, passwordData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { safeReturnTo } from './return-to.js';

/** `GET /register?returnTo=…`: creates an account, and says what is to be done before it can be used. */
export function registerPage(auth: Auth, request: HttpRequest, { register }: Messages): PageContent {
  return {
    title: register.title,
    script: 'register.js',
    data: {
      ...passwordData(auth),
      'return-to': safeReturnTo(queryOf(request).returnTo, auth.settings.http) ?? '',
      pending: pendingView(auth),
      'staff-decide': String(auth.settings.registration.approval === 'staff'),
      'waits-for': waitsFor(auth),
      // Where the first sign-in creates no account, it is not a way to register.
      ...(auth.settings.external.signUp && externalData(auth)),
    },
    choosesPassword: true,
  };
}

/** Returns the view after a registration that is pending: the mailbox is to be proved first, or staff decide. */
function pendingView({ settings: { registration } }: Auth): 'mail' | 'waiting' {
  const isProvedFirst = registration.approval !== 'staff' || registration.emailVerification === 'required';
  return isProvedFirst ? 'mail' : 'waiting';
}

/** Returns what a registration that staff decide on gets meanwhile. */
function waitsFor({ settings, facts }: Auth): 'link' | 'mail' | 'nothing' {
  if (facts.mailTransport === 'off') return 'nothing';
  return settings.registration.emailVerification === 'off' ? 'mail' : 'link';
}
