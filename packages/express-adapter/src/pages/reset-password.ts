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
import { siblingPath, LOGIN_PATH } from './page-paths.js';

/** `GET /reset-password`: requests the mail; with the token from that mail, sets the new password. */
export function resetPasswordPage(auth: Auth): PageContent {
  return {
    title: 'Reset your password',
    script: 'reset-password.js',
    data: commonData(auth),
    views: markup`${requestViews}${passwordViews(auth.settings)}`,
  };
}

const signIn = linkButton(siblingPath(LOGIN_PATH), 'Sign in', 'primary');

const requestViews = markup`
${view('opening', 'Reset your password', markup`<p class="lead">One moment…</p>`, true)}
${view(
  'request',
  'Reset your password',
  markup`
<p class="lead">Enter your email and we'll send you a link to reset your password.</p>
<form method="post" novalidate data-form="request">
${formNotice}
${textField({ id: 'email', label: 'Email', type: 'email', autocomplete: 'username' })}
${submitButton('Send reset link')}
</form>
<p class="aside"><a href="${siblingPath(LOGIN_PATH)}">Back to sign-in</a></p>`,
)}
${view(
  'sent',
  'Check your email',
  markup`
<p class="lead">If there's an account for <strong>${slot('email')}</strong>, you'll receive an email with a link. It can take a minute. Check your spam folder, too.</p>
<div class="actions">${actionButton('again', 'Use another email', 'secondary')}</div>`,
)}`;

const passwordViews = ({ passwords: { minLength }, passkeys }: Settings): Markup => markup`
${view(
  'password',
  'Choose a new password',
  markup`
<p class="lead">You'll be signed out on all devices${passkeys.enabled ? ', and your passkeys will be removed' : ''}.</p>
<form method="post" novalidate data-form="password">
${formNotice}
${passwordField({ id: 'newPassword', label: 'New password', autocomplete: 'new-password', minLength })}
${submitButton('Reset password')}
</form>`,
)}
${view(
  'done',
  'Your password has been reset',
  markup`
<p class="lead">Sign in with your new password.</p>
<div class="actions">${signIn}</div>`,
)}
${view(
  'unusable',
  'This link has expired or was already used',
  markup`
<p class="lead">Request a new link to reset your password.</p>
<div class="actions">${actionButton('again', 'Request a new link', 'primary')}</div>`,
)}`;
