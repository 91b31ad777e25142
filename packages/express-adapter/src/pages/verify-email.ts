import type { Auth } from '@latchkey/core';
import { actionButton, formNotice, linkButton, passwordField, submitButton, view } from './controls.js';
import { markup, type Markup } from './markup.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { siblingPath, LOGIN_PATH } from './page-paths.js';

/**
 * `GET /verify-email`: proves the mailbox by a button if staff decide on registrations, else by the password. The field has
 * no minimum length: the password chosen at registration was valid at that time.
 */
export function verifyEmailPage(auth: Auth): PageContent {
  return {
    title: 'Confirm your email address',
    script: 'verify-email.js',
    data: { ...commonData(auth), 'first-view': needsPassword(auth) ? 'password' : 'confirm' },
    views: views(needsPassword(auth) ? 'Confirm your registration' : 'Confirm your email address'),
  };
}

/** Reports whether the links of new registrations need the password. For others, the route asks for it. */
const needsPassword = ({ settings }: Auth): boolean => settings.registration.approval !== 'staff';

const signIn = linkButton(siblingPath(LOGIN_PATH), 'Sign in', 'primary');

const views = (heading: string): Markup => markup`
${view('opening', heading, markup`<p class="lead">One moment…</p>`, true)}
${view(
  'confirm',
  'Confirm your email address',
  markup`
<p class="lead">Confirm only if you registered yourself. If someone else used your email, choose <em>This was not me</em> in the mail instead.</p>
<div class="actions">
${formNotice}
${actionButton('confirm', 'Confirm', 'primary')}
</div>`,
)}
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
  'confirmed',
  'Your email address is confirmed',
  markup`
<p class="lead">You can sign in as soon as an administrator has approved your registration.</p>
<div class="actions">${signIn}</div>`,
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
<p class="lead">Your registration may already have been confirmed. Try to sign in. If that doesn't work, contact your administrator.</p>
<div class="actions">${signIn}</div>`,
)}`;
