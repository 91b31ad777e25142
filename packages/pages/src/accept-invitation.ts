import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import { closedInvitationViews } from './closed-invitation-views.js';
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
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { siblingPath, LOGIN_PATH } from './page-paths.js';
import { secondFactorViews } from './second-factor-views.js';

/** `GET /accept-invitation?token=…`: shows the offer of an invitation, which the user accepts with a button. */
export function acceptInvitationPage(auth: Auth, _request: HttpRequest, messages: Messages): PageContent {
  const texts = messages.acceptInvitation;
  return {
    title: texts.title,
    script: 'accept-invitation.js',
    data: commonData(auth),
    views: markup`
${view('opening', texts.title, markup`<p class="lead"><span class="spinner"></span>${texts.opening}</p>`, true)}
${newcomerView(messages, auth.settings.passwords.minLength)}
${memberViews(messages)}
${secondFactorViews(messages.secondFactor, { leave: texts.setUpLater, withPasskeys: false })}
${joinedViews(messages)}
${closedInvitationViews(texts)}`,
    signsIn: true,
  };
}

/** What the script fills in. */
const strong = (name: string): Markup => markup`<strong>${slot(name)}</strong>`;
const OFFER = { inviter: strong('inviter'), article: slot('article'), role: strong('role') };
const email = strong('email');

type Texts = Messages['acceptInvitation'];

const withCompany = (text: string, { theCompany }: Texts): Markup =>
  fillIn(text, { company: slot('company', theCompany) });

const offerOf = (text: string, texts: Texts): Markup => markup`
<p class="lead">${fillIn(text, { ...OFFER, email, forgotPassword: markup`<em>${texts.forgotPassword}</em>` })}</p>
<p class="lead">${fillIn(texts.expiry, { expiry: strong('expiry') })}</p>`;

const newcomerView = ({ acceptInvitation: texts, controls }: Messages, minLength: number): Markup =>
  view(
    'newcomer',
    withCompany(texts.joinHeading, texts),
    markup`
${offerOf(texts.invitedNewcomer, texts)}
<form method="post" novalidate>
${formNotice}
${textField({ id: 'email', label: texts.email, type: 'email', autocomplete: 'username', isReadOnly: true })}
${textField({ id: 'fullName', label: texts.name, type: 'text', autocomplete: 'name', optional: controls.optional })}
${passwordField(controls, { id: 'password', label: texts.password, autocomplete: 'new-password', minLength })}
${submitButton(texts.createAccount, texts.creatingAccount)}
</form>`,
  );

/** The script adds the return address. */
const memberViews = ({ acceptInvitation: texts }: Messages): Markup => markup`
${view(
  'account',
  withCompany(texts.joinHeading, texts),
  markup`
${offerOf(texts.invitedAccount, texts)}
<div class="actions"><a class="primary" href="${siblingPath(LOGIN_PATH)}" data-return>${texts.signInToJoin}</a></div>`,
)}
${view(
  'join',
  withCompany(texts.joinHeading, texts),
  markup`
${offerOf(texts.invitedSignedIn, texts)}
<form method="post" novalidate>${formNotice}${submitButton(withCompany(texts.join, texts))}</form>
<div class="actions">${actionButton('sign-out', texts.signOut, 'secondary')}</div>`,
)}
${view(
  'wrong-account',
  texts.wrongAccountHeading,
  markup`
<p class="lead">${fillIn(texts.wrongAccount, { current: strong('current'), email })}</p>
<div class="actions">${actionButton('sign-out', texts.signOutAndContinue, 'primary')}</div>`,
)}`;

function joinedViews({ acceptInvitation: texts, controls }: Messages): Markup {
  const mayClose = markup`<span data-nowhere hidden>${texts.mayClose}</span>`;
  const goOn = markup`<div class="actions">${continueLink(controls.continue)}</div>`;
  return markup`
${view('joined', withCompany(texts.welcome, texts), markup`<p class="lead">${fillIn(texts.joined, OFFER)} ${mayClose}</p>${goOn}`)}
${view(
  'joined-signed-out',
  withCompany(texts.welcome, texts),
  markup`
<p class="lead">${fillIn(texts.joinedSignedOut, OFFER)}</p>
<div class="actions">${linkButton(siblingPath(LOGIN_PATH), texts.signIn, 'primary')}</div>`,
)}
${view('member', withCompany(texts.memberHeading, texts), markup`<p class="lead">${texts.member} ${mayClose}</p>${goOn}`)}`;
}
