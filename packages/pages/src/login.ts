import type { Auth } from '@latchkey/core';
import { type HttpRequest, queryOf } from '@latchkey/http/internal';
import {
  actionButton,
  continueLink,
  formNotice,
  linkButton,
  passwordField,
  slot,
  submitButton,
  textButton,
  textField,
  view,
} from './controls.js';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { commonData, offersPasskeys } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { ACCOUNT_PATH, siblingPath, LOGIN_PATH, REGISTER_PATH, RESET_PATH } from './page-paths.js';
import { isInvitation, linkWithReturn, purposeOf } from './purpose.js';
import { safeReturnTo } from './return-to.js';
import { secondFactorViews } from './second-factor-views.js';

/** `GET /login?returnTo=…`: email and password, or a passkey; a second step where the account has one; then back. */
export function loginPage(auth: Auth, request: HttpRequest, messages: Messages): PageContent {
  const returnTo = safeReturnTo(queryOf(request).returnTo, auth.settings.http);
  const form = {
    purpose: purposeOf(returnTo, auth, messages),
    withPasskeys: offersPasskeys(auth),
    registerLink:
      auth.settings.registration.enabled && !isInvitation(returnTo)
        ? linkWithReturn(REGISTER_PATH, returnTo)
        : undefined,
  };
  return {
    title: messages.login.title,
    script: 'login.js',
    data: { ...commonData(auth), 'return-to': returnTo ?? '' },
    views: loginViews(messages, form),
    signsIn: true,
  };
}

interface SignInForm {
  purpose: Markup;
  withPasskeys: boolean;
  /** Undefined if no one may register, or need not. */
  registerLink: string | undefined;
}

const loginViews = (messages: Messages, form: SignInForm): Markup => markup`
${view('form', messages.login.title, signInForm(messages, form), true)}
${secondFactorViews(messages.secondFactor, { leave: messages.login.otherAccount, withPasskeys: form.withPasskeys })}
${endViews(messages)}`;

const endViews = ({ login, controls }: Messages): Markup => markup`
${view('checking', login.moment, markup`<p class="lead"><span class="spinner"></span>${login.checking}</p>`)}
${view(
  'signed-in',
  login.signedIn,
  markup`
<p class="lead">${fillIn(login.signedInAs, { email: markup`<strong>${slot('email')}</strong>` })}</p>
${formNotice}
<div class="actions">${continueLink(controls.continue)}${linkButton(siblingPath(ACCOUNT_PATH), login.manageAccount, 'secondary')}${actionButton('sign-out', login.signOut, 'secondary')}</div>`,
)}
${view(
  'signed-out',
  login.signedOut,
  markup`
<p class="lead">${login.mayClose}</p>
<div class="actions">${linkButton(siblingPath(LOGIN_PATH), login.signInAgain, 'secondary')}</div>`,
)}`;

const signInForm = (
  { login, controls }: Messages,
  { purpose, withPasskeys, registerLink }: SignInForm,
): Markup => markup`
<p class="lead">${purpose}</p>
<form method="post" novalidate>
${formNotice}
${textField({ id: 'email', label: login.email, type: 'email', autocomplete: withPasskeys ? 'username webauthn' : 'username' })}
${passwordField(controls, {
  id: 'password',
  label: login.password,
  autocomplete: 'current-password',
  aside: markup`<a href="${siblingPath(RESET_PATH)}">${login.forgotPassword}</a>`,
})}
${submitButton(login.submit, login.signingIn)}
</form>
${withPasskeys ? passkeyButton(login) : ''}
<p class="aside" data-remembered hidden>${textButton('other-account', login.otherAccount)}</p>
${registerLink === undefined ? '' : markup`<p class="aside">${login.newHere} <a href="${registerLink}">${login.createAccount}</a></p>`}`;

const passkeyButton = (login: Messages['login']): Markup => markup`
<div data-passkey>
<p class="or">${login.or}</p>
${actionButton('passkey', login.usePasskey, 'secondary')}
</div>`;
