import type { Auth, Settings } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
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
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { siblingPath, LOGIN_PATH } from './page-paths.js';

/** `GET /reset-password`: requests the mail; with the token from that mail, sets the new password. */
export function resetPasswordPage(auth: Auth, _request: HttpRequest, messages: Messages): PageContent {
  return {
    title: messages.resetPassword.title,
    script: 'reset-password.js',
    data: commonData(auth),
    views: markup`${requestViews(messages.resetPassword)}${passwordViews(messages, auth.settings)}`,
  };
}

const signInPath = siblingPath(LOGIN_PATH);

const requestViews = (texts: Messages['resetPassword']): Markup => markup`
${view('opening', texts.title, markup`<p class="lead">${texts.moment}</p>`, true)}
${view(
  'request',
  texts.title,
  markup`
<p class="lead">${texts.requestLead}</p>
<form method="post" novalidate data-form="request">
${formNotice}
${textField({ id: 'email', label: texts.email, type: 'email', autocomplete: 'username' })}
${submitButton(texts.send, texts.sending)}
</form>
<p class="aside"><a href="${signInPath}">${texts.backToSignIn}</a></p>`,
)}
${view(
  'sent',
  texts.sentHeading,
  markup`
<p class="lead">${fillIn(texts.sentLead, { email: markup`<strong>${slot('email')}</strong>` })}</p>
<div class="actions">
${formNotice}
${actionButton('send-again', texts.sendAgain, 'secondary')}
${actionButton('again', texts.otherEmail, 'secondary')}
</div>
<p class="aside"><a href="${signInPath}">${texts.backToSignIn}</a></p>`,
)}`;

const passwordViews = (
  { resetPassword: texts, controls }: Messages,
  { passwords: { minLength }, passkeys }: Settings,
): Markup => markup`
${view(
  'password',
  texts.passwordHeading,
  markup`
<p class="lead">${passkeys.enabled ? texts.signedOutAndPasskeys : texts.signedOutEverywhere}</p>
<form method="post" novalidate data-form="password">
${formNotice}
${passwordField(controls, { id: 'newPassword', label: texts.newPassword, autocomplete: 'new-password', minLength })}
${submitButton(texts.reset, texts.resetting)}
</form>`,
)}
${view(
  'done',
  texts.doneHeading,
  markup`
<p class="lead">${texts.doneLead}</p>
<div class="actions">${linkButton(signInPath, texts.signIn, 'primary')}</div>`,
)}
${view(
  'unusable',
  texts.unusableHeading,
  markup`
<p class="lead">${texts.unusableLead}</p>
<div class="actions">${actionButton('again', texts.requestNewLink, 'primary')}</div>`,
)}`;
