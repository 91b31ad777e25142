import type { Request } from 'express';
import type { Auth } from '@latchkey/core';
import { queryOf } from '../http/query-of.js';
import {
  actionButton,
  continueLink,
  formNotice,
  linkButton,
  passwordField,
  slot,
  submitButton,
  textField,
  view,
} from './controls.js';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { commonData, offersPasskeys } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { ACCEPT_PATH, siblingPath, LOGIN_PATH, RESET_PATH } from './page-paths.js';
import { safeReturnTo } from './return-to.js';
import { secondFactorViews } from './second-factor-views.js';

/** `GET /login?returnTo=…`: email and password, or a passkey; a second step where the account has one; then back. */
export function loginPage(auth: Auth, request: Request, { login }: Messages): PageContent {
  const returnTo = safeReturnTo(queryOf(request).returnTo, auth.settings.http);
  return {
    title: login.title,
    script: 'login.js',
    data: { ...commonData(auth), 'return-to': returnTo ?? '' },
    views: loginViews(login, purposeOf(returnTo, auth.settings.brand.name, login), offersPasskeys(auth)),
    signsIn: true,
  };
}

type LoginMessages = Messages['login'];

/** Returns the reason for the sign-in. */
function purposeOf(returnTo: string | undefined, brand: string, login: LoginMessages): Markup {
  const path = returnTo?.split(/[?#]/)[0];
  return path?.endsWith(ACCEPT_PATH) === true
    ? markup`${login.acceptInvitation}`
    : fillIn(login.continueTo, { brand });
}

const loginViews = (login: LoginMessages, purpose: Markup, withPasskeys: boolean): Markup => markup`
${view('form', login.title, signInForm(login, purpose, withPasskeys), true)}
${secondFactorViews({ leave: login.otherAccount, withPasskeys })}
${view('checking', login.moment, markup`<p class="lead">${login.checking}</p>`)}
${view(
  'signed-in',
  login.signedIn,
  markup`
<p class="lead">${fillIn(login.signedInAs, { email: markup`<strong>${slot('email')}</strong>` })}</p>
${formNotice}
<div class="actions">${continueLink}${actionButton('sign-out', login.signOut, 'secondary')}</div>`,
)}
${view(
  'signed-out',
  login.signedOut,
  markup`
<p class="lead">${login.mayClose}</p>
<div class="actions">${linkButton(siblingPath(LOGIN_PATH), login.signInAgain, 'secondary')}</div>`,
)}`;

const signInForm = (login: LoginMessages, purpose: Markup, withPasskeys: boolean): Markup => markup`
<p class="lead">${purpose}</p>
<form method="post" novalidate>
${formNotice}
${textField({ id: 'email', label: login.email, type: 'email', autocomplete: withPasskeys ? 'username webauthn' : 'username' })}
${passwordField({ id: 'password', label: login.password, autocomplete: 'current-password' })}
${submitButton(login.submit)}
</form>
${withPasskeys ? passkeyButton(login) : ''}
<p class="aside"><a href="${siblingPath(RESET_PATH)}">${login.forgotPassword}</a></p>`;

const passkeyButton = (login: LoginMessages): Markup => markup`
<div data-passkey>
<p class="or">${login.or}</p>
${actionButton('passkey', login.usePasskey, 'secondary')}
</div>`;
