import type { Auth } from '@latchkey/core';
import { formNotice, linkButton, passwordField, submitButton, view } from './controls.js';
import { markup } from './markup.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { besides, LOGIN_PATH } from './page-paths.js';

/**
 * `GET /verify-email`: asks for the password and approves the registration. The field asks for no length: the password
 * chosen at registration is as good as it was then.
 */
export function verifyEmailPage(auth: Auth): PageContent {
  return {
    title: 'Confirm your registration',
    script: 'verify-email.js',
    data: commonData(auth),
    views,
  };
}

const signIn = linkButton(besides(LOGIN_PATH), 'Sign in', 'primary');

const views = markup`
${view('opening', 'Confirm your registration', markup`<p class="lead">One moment…</p>`, true)}
${view(
  'password',
  'Confirm your registration',
  markup`
<p class="lead">Enter the password you chose when you registered. If you do not know it, or somebody else registered with your email, type a new one: it takes its place.</p>
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
<p class="lead">You can sign in now, with the password you have just entered.</p>
<div class="actions">${signIn}</div>`,
)}
${view(
  'unusable',
  'This link does not work any more',
  markup`
<p class="lead">It was used already, its time is over, or your registration was decided on. Try to sign in; if that does not work, ask the people you expected to work with.</p>
<div class="actions">${signIn}</div>`,
)}`;
