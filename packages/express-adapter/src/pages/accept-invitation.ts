import type { Auth } from '@latchkey/core';
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
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { besides, LOGIN_PATH, RESET_PATH } from './page-paths.js';

/** `GET /accept-invitation?token=…`: shows what is offered; joining takes a person who presses a button. */
export function acceptInvitationPage(auth: Auth): PageContent {
  return {
    title: 'Your invitation',
    script: 'accept-invitation.js',
    data: commonData(auth),
    views: markup`
${view('opening', 'Your invitation', markup`<p class="lead">Opening your invitation…</p>`, true)}
${openViews(auth.settings.passwords.minLength)}
${closedViews}
${troubleViews}`,
  };
}

const company = slot('company', 'the company');
const invited = markup`<strong>${slot('inviter')}</strong> invited you to join`;
const expiry = markup`<p class="lead">This invitation expires on <strong>${slot('expiry')}</strong>.</p>`;
const withRole = markup`with the role <strong>${slot('role')}</strong>`;
const invitedEmail = markup`<strong>${slot('email')}</strong>`;
const nothingLeft = markup`<span data-nowhere hidden>You can close this page.</span>`;
const signInPath = besides(LOGIN_PATH);
/** The script adds where to come back to. */
const signInToJoin = markup`<a class="primary" href="${signInPath}" data-return>Sign in to join</a>`;

const newcomerView = (minLength: number): Markup =>
  view(
    'newcomer',
    markup`Join ${company}`,
    markup`
<p class="lead">${invited} ${withRole}. Choose a password to create your account.</p>
${expiry}
<form method="post" novalidate>
${formNotice}
${textField({ id: 'email', label: 'Email', type: 'email', autocomplete: 'username', isReadOnly: true })}
${textField({ id: 'fullName', label: 'Your name', type: 'text', autocomplete: 'name', isOptional: true })}
${passwordField({ id: 'password', label: 'Password', autocomplete: 'new-password', minLength })}
${submitButton('Create account and join')}
</form>`,
  );

const openViews = (minLength: number): Markup => markup`
${newcomerView(minLength)}
${view(
  'account',
  markup`Join ${company}`,
  markup`
<p class="lead">${invited} ${withRole}. You already have an account: sign in as ${invitedEmail} to join. If you have never set its password, choose <em>Forgot your password?</em> there.</p>
${expiry}
<div class="actions">${signInToJoin}</div>`,
)}
${view(
  'join',
  markup`Join ${company}`,
  markup`
<p class="lead">${invited} ${withRole}. You are signed in as ${invitedEmail}.</p>
${expiry}
<form method="post" novalidate>${formNotice}${submitButton(markup`Join ${company}`)}</form>
<div class="actions">${actionButton('sign-out', 'Sign out', 'secondary')}</div>`,
)}
${view(
  'wrong-account',
  'This invitation is for another account',
  markup`
<p class="lead">You are signed in as <strong>${slot('current')}</strong>, but the invitation was sent to ${invitedEmail}.</p>
<div class="actions">${actionButton('sign-out', 'Sign out and continue', 'primary')}</div>`,
)}
${view(
  'joined',
  markup`Welcome to ${company}`,
  markup`
<p class="lead">You have joined ${withRole}. ${nothingLeft}</p>
<div class="actions">${continueLink}</div>`,
)}
${view(
  'member',
  markup`You are in ${company} already`,
  markup`
<p class="lead">Your place there stays as it is. ${nothingLeft}</p>
<div class="actions">${continueLink}</div>`,
)}`;

const askAgain = markup`<p class="lead">Ask the person who invited you for a new invitation.</p>`;

const closedViews = markup`
${view('expired', 'This invitation has expired', askAgain)}
${view('withdrawn', 'This invitation was withdrawn', askAgain)}
${view('cancelled', 'This invitation was cancelled', markup`<p class="lead">The person who invited you has taken it back. Ask them if you think that is a mistake.</p>`)}
${view(
  'accepted',
  'This invitation was accepted already',
  markup`
<p class="lead">There is nothing left to do here: sign in as usual.</p>
<div class="actions">${linkButton(signInPath, 'Sign in', 'primary')}</div>`,
)}
${view(
  'mailbox',
  'Confirm your mailbox first',
  markup`
<p class="lead">There is an account for ${invitedEmail}, but nobody has shown yet that this mailbox is theirs. If the account is yours, sign in to join. If not, or if you are not sure, set a new password by mail, then open the link of the invitation again.</p>
<div class="actions">${signInToJoin}${linkButton(besides(RESET_PATH), 'Set a new password', 'secondary')}</div>`,
)}
${view('unknown', 'This link does not work', markup`<p class="lead">It is incomplete, or a newer mail has replaced it. Open the link of the newest mail, or ask for a new invitation.</p>`)}
${view('closed', 'This invitation cannot be accepted', markup`<p class="lead">${slot('reason')}</p>`)}`;

const tryAgain = markup`<div class="actions">${actionButton('retry', 'Try again', 'primary')}</div>`;

const troubleViews = markup`
${view('rate-limited', 'Please wait a little', markup`<p class="lead">${slot('reason')}</p>${tryAgain}`)}
${view('away', 'The service cannot be reached', markup`<p class="lead">Your invitation is not lost. Please try again in a little while.</p>${tryAgain}`)}`;
