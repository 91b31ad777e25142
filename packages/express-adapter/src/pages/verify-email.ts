import type { Auth } from '@latchkey/core';
import { formNotice, linkButton, passwordField, submitButton, view } from './controls.js';
import { markup } from './markup.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { siblingPath, LOGIN_PATH } from './page-paths.js';

/**
 * `GET /verify-email`: asks for the password and confirms the registration. The field has no minimum length: the password
 * chosen at registration was valid at that time.
 */
export function verifyEmailPage(auth: Auth): PageContent {
  return {
    title: 'Confirm your registration',
    script: 'verify-email.js',
    data: commonData(auth),
    views,
  };
}

const signIn = linkButton(siblingPath(LOGIN_PATH), 'Sign in', 'primary');

const views = markup`
${view('opening', 'Confirm your registration', markup`<p class="lead">One moment…</p>`, true)}
${view(
  'password',
  'Confirm your registration',
  markup`
<p class="lead">Enter the password you chose when you registered. If you don't remember it, or someone else registered with your email, enter a new one instead.</p>
<form method="post" novalidate data-form="password">
${formNotice}
${passwordField({ id: 'password', label: 'Password', autocomplete: 'current-password' })}
${submitButton('Confirm')}
</form>`,
)}
${view(
  'done',
  'Your registration is confirmed',
  markup`
<p class="lead">You can now sign in with the password you just entered.</p>
<div class="actions">${signIn}</div>`,
)}
${view(
  'unusable',
  'This link has expired or was already used',
  markup`
<p class="lead">Your registration may already have been approved. Try to sign in. If that doesn't work, contact your administrator.</p>
<div class="actions">${signIn}</div>`,
)}`;
