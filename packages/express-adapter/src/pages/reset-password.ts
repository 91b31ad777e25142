import type { Auth, Settings } from '@latchkey/core';
import {
  actionButton,
  formNotice,
  linkButton,
  passwordField,
  slot,
  submitButton,
  textField,
  view,
} from './controls.js';
import { markup, type Markup } from './markup.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { besides, LOGIN_PATH } from './page-paths.js';

/** `GET /reset-password`: asks for the mail; with the token of that mail, sets the new password. */
export function resetPasswordPage(auth: Auth): PageContent {
  return {
    title: 'Reset your password',
    script: 'reset-password.js',
    data: commonData(auth),
    views: markup`${requestViews}${passwordViews(auth.settings)}`,
  };
}

const signIn = linkButton(besides(LOGIN_PATH), 'Sign in', 'primary');

const requestViews = markup`
${view('opening', 'Reset your password', markup`<p class="lead">One moment…</p>`, true)}
${view(
  'request',
  'Reset your password',
  markup`
<p class="lead">Tell us your email, and we send you a link that sets a new password.</p>
<form method="post" novalidate data-form="request">
${formNotice}
${textField({ id: 'email', label: 'Email', type: 'email', autocomplete: 'username' })}
${submitButton('Send the link')}
</form>
<p class="aside"><a href="${besides(LOGIN_PATH)}">Back to sign-in</a></p>`,
)}
${view(
  'sent',
  'Check your mailbox',
  markup`
<p class="lead">If there is an account for <strong>${slot('email')}</strong>, a mail with a link is on its way. It can take a minute; look in the spam folder too.</p>
<div class="actions">${actionButton('again', 'Use another email', 'secondary')}</div>`,
)}`;

const passwordViews = ({ passwords: { minLength }, passkeys }: Settings): Markup => markup`
${view(
  'password',
  'Choose a new password',
  markup`
<p class="lead">You will be signed out everywhere${passkeys.enabled ? ', and your passkeys are removed' : ''}.</p>
<form method="post" novalidate data-form="password">
${formNotice}
${passwordField({ id: 'newPassword', label: 'New password', autocomplete: 'new-password', minLength })}
${submitButton('Set the new password')}
</form>`,
)}
${view(
  'done',
  'Your password is set',
  markup`
<p class="lead">Sign in with it from now on.</p>
<div class="actions">${signIn}</div>`,
)}
${view(
  'unusable',
  'This link does not work any more',
  markup`
<p class="lead">It was used already, or its time is over. Ask for a new one.</p>
<div class="actions">${actionButton('again', 'Ask for a new link', 'primary')}</div>`,
)}`;
