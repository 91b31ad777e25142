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
import { commonData, offersPasskeys } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { ACCEPT_PATH, siblingPath, LOGIN_PATH, RESET_PATH } from './page-paths.js';
import { safeReturnTo } from './return-to.js';
import { secondFactorViews } from './second-factor-views.js';

/** `GET /login?returnTo=…`: email and password, or a passkey; a second step where the account has one; then back. */
export function loginPage(auth: Auth, request: Request): PageContent {
  const returnTo = safeReturnTo(queryOf(request).returnTo, auth.settings.http);
  return {
    title: 'Sign in',
    script: 'login.js',
    data: { ...commonData(auth), 'return-to': returnTo ?? '' },
    views: loginViews(purposeOf(returnTo, auth.settings.brand.name), offersPasskeys(auth)),
    signsIn: true,
  };
}

/** Returns the reason for the sign-in. */
function purposeOf(returnTo: string | undefined, brandName: string): string {
  const path = returnTo?.split(/[?#]/)[0];
  return path?.endsWith(ACCEPT_PATH) === true ? 'to accept your invitation' : `to continue to ${brandName}`;
}

const loginViews = (purpose: string, withPasskeys: boolean): Markup => markup`
${view('form', 'Sign in', signInForm(purpose, withPasskeys), true)}
${secondFactorViews({ leave: 'Use another account', withPasskeys })}
${view('checking', 'One moment', markup`<p class="lead">Checking your session…</p>`)}
${view(
  'signed-in',
  'You are signed in',
  markup`
<p class="lead">Signed in as <strong>${slot('email')}</strong>.</p>
${formNotice}
<div class="actions">${continueLink}${actionButton('sign-out', 'Sign out', 'secondary')}</div>`,
)}
${view(
  'signed-out',
  'You are signed out',
  markup`
<p class="lead">You can close this page.</p>
<div class="actions">${linkButton(siblingPath(LOGIN_PATH), 'Sign in again', 'secondary')}</div>`,
)}`;

const signInForm = (purpose: string, withPasskeys: boolean): Markup => markup`
<p class="lead">${purpose}</p>
<form method="post" novalidate>
${formNotice}
${textField({ id: 'email', label: 'Email', type: 'email', autocomplete: withPasskeys ? 'username webauthn' : 'username' })}
${passwordField({ id: 'password', label: 'Password', autocomplete: 'current-password' })}
${submitButton('Sign in')}
</form>
${withPasskeys ? passkeyButton : ''}
<p class="aside"><a href="${siblingPath(RESET_PATH)}">Forgot your password?</a></p>`;

const passkeyButton = markup`
<div data-passkey>
<p class="or">or</p>
${actionButton('passkey', 'Sign in with a passkey', 'secondary')}
</div>`;
