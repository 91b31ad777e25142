import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import { actionButton, formNotice, linkButton, passwordField, submitButton, view } from './controls.js';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { siblingPath, LOGIN_PATH } from './page-paths.js';

/**
 * `GET /verify-email`: proves the mailbox by a button if staff decide on registrations, else by the password. The field has
 * no minimum length: the password chosen at registration was valid at that time.
 */
export function verifyEmailPage(auth: Auth, _request: HttpRequest, messages: Messages): PageContent {
  return {
    title: messages.verifyEmail.title,
    script: 'verify-email.js',
    data: { ...commonData(auth), 'first-view': needsPassword(auth) ? 'password' : 'confirm' },
    views: views(messages, needsPassword(auth)),
  };
}

/** Reports whether the links of new registrations need the password. For others, the route asks for it. */
const needsPassword = ({ settings }: Auth): boolean => settings.registration.approval !== 'staff';

function views(messages: Messages, withPassword: boolean): Markup {
  const texts = messages.verifyEmail;
  const ended = (name: string, heading: string, lead: string): Markup =>
    view(
      name,
      heading,
      markup`
<p class="lead">${lead}</p>
<div class="actions">${linkButton(siblingPath(LOGIN_PATH), texts.signIn, 'primary')}</div>`,
    );
  return markup`
${view('opening', withPassword ? texts.passwordHeading : texts.title, markup`<p class="lead">${texts.moment}</p>`, true)}
${confirmView(texts)}
${passwordView(messages)}
${ended('confirmed', texts.confirmedHeading, texts.confirmedLead)}
${ended('done', texts.doneHeading, texts.doneLead)}
${ended('unusable', texts.unusableHeading, texts.unusableLead)}`;
}

const confirmView = (texts: Messages['verifyEmail']): Markup =>
  view(
    'confirm',
    texts.title,
    markup`
<p class="lead">${fillIn(texts.confirmLead, { notMe: markup`<em>${texts.notMe}</em>` })}</p>
<div class="actions">
${formNotice}
${actionButton('confirm', texts.confirm, 'primary', texts.confirming)}
</div>`,
  );

const passwordView = ({ verifyEmail: texts, controls }: Messages): Markup =>
  view(
    'password',
    texts.passwordHeading,
    markup`
<p class="lead">${texts.passwordLead}</p>
<form method="post" novalidate data-form="password">
${formNotice}
${passwordField(controls, { id: 'password', label: texts.password, autocomplete: 'current-password' })}
${submitButton(texts.confirm, texts.confirming)}
</form>`,
  );
