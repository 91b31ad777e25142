import type { Auth } from '@latchkey/core';
import { type HttpRequest, queryOf } from '@latchkey/http/internal';
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
import { LOGIN_PATH, RESET_PATH } from './page-paths.js';
import { linkWithReturn, purposeOf } from './purpose.js';
import { safeReturnTo } from './return-to.js';

/** `GET /register?returnTo=…`: creates an account, and says what is to be done before it can be used. */
export function registerPage(auth: Auth, request: HttpRequest, messages: Messages): PageContent {
  const { register } = messages;
  const returnTo = safeReturnTo(queryOf(request).returnTo, auth.settings.http);
  const links = {
    signIn: linkWithReturn(LOGIN_PATH, returnTo),
    reset: linkWithReturn(RESET_PATH, undefined),
  };
  return {
    title: register.title,
    script: 'register.js',
    data: { ...commonData(auth), pending: pendingView(auth) },
    views: markup`
${view('form', register.title, form(auth, messages, { purpose: purposeOf(returnTo, auth, messages), links }), true)}
${pendingView(auth) === 'mail' ? mailView(auth, register) : waitingView(auth, register)}
${view(
  'done',
  register.done,
  markup`
<p class="lead">${fillIn(register.doneText, { email: emailSlot })}</p>
<div class="actions">${linkButton(links.signIn, register.signIn, 'primary')}</div>`,
)}`,
  };
}

type RegisterMessages = Messages['register'];

interface FormParts {
  purpose: Markup;
  links: { signIn: string; reset: string };
}

const emailSlot = markup`<strong>${slot('email')}</strong>`;

const form = (
  { settings }: Auth,
  { register, controls }: Messages,
  { purpose, links }: FormParts,
): Markup => markup`
<p class="lead">${purpose}</p>
<form method="post" novalidate>
${formNotice}
<div role="alert" data-taken hidden>
<p class="notice info">${register.taken}</p>
<p class="lead">${fillIn(register.takenNext, {
  signIn: markup`<a href="${links.signIn}">${register.takenSignIn}</a>`,
  reset: markup`<a href="${links.reset}">${register.takenReset}</a>`,
})}</p>
</div>
${textField({ id: 'fullName', label: register.fullName, type: 'text', autocomplete: 'name' })}
${textField({ id: 'email', label: register.email, type: 'email', autocomplete: 'username' })}
${passwordField(controls, {
  id: 'password',
  label: register.password,
  autocomplete: 'new-password',
  minLength: settings.passwords.minLength,
})}
${submitButton(register.submit, register.submitting)}
</form>
<p class="aside">${register.haveAccount} <a href="${links.signIn}">${register.signIn}</a></p>`;

/** Returns the view after a registration that is pending: the mailbox is to be proved first, or staff decide. */
function pendingView({ settings: { registration } }: Auth): 'mail' | 'waiting' {
  const isProvedFirst = registration.approval !== 'staff' || registration.emailVerification === 'required';
  return isProvedFirst ? 'mail' : 'waiting';
}

const mailView = ({ settings: { registration } }: Auth, register: RegisterMessages): Markup => {
  const text = registration.approval === 'staff' ? register.confirmThenWait : register.confirmByMail;
  return view(
    'mail',
    register.checkMail,
    markup`
<p class="lead">${fillIn(text, { email: emailSlot })} ${register.spam}</p>
${resendActions(register)}`,
  );
};

function waitingView({ settings, facts }: Auth, register: RegisterMessages): Markup {
  const isMailed = facts.mailTransport !== 'off';
  const hasLink = isMailed && settings.registration.emailVerification !== 'off';
  const text = hasLink
    ? register.waitingWithLink
    : isMailed
      ? register.waitingForMail
      : register.waitingWithoutMail;
  return view(
    'waiting',
    register.waiting,
    markup`
<p class="lead">${fillIn(text, { email: emailSlot })}</p>
${hasLink ? resendActions(register) : ''}`,
  );
}

const resendActions = (register: RegisterMessages): Markup => markup`
<div class="actions">
${formNotice}
${actionButton('resend', register.resend, 'secondary')}
${actionButton('again', register.otherEmail, 'secondary')}
</div>`;
