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
import { siblingPath, LOGIN_PATH, RESET_PATH } from './page-paths.js';
import { secondFactorViews } from './second-factor-views.js';

/** `GET /accept-invitation?token=…`: shows the offer of an invitation, which the user accepts with a button. */
export function acceptInvitationPage(auth: Auth): PageContent {
  return {
    title: 'Your invitation',
    script: 'accept-invitation.js',
    data: commonData(auth),
    views: markup`
${view('opening', 'Your invitation', markup`<p class="lead">Opening your invitation…</p>`, true)}
${openViews(auth.settings.passwords.minLength)}
${secondFactorViews({ leave: 'Set up later', withPasskeys: false })}
${closedViews}
${troubleViews}`,
    signsIn: true,
  };
}

const company = slot('company', 'the company');
const invited = markup`<strong>${slot('inviter')}</strong> invited you to join`;
const expiry = markup`<p class="lead">This invitation expires on <strong>${slot('expiry')}</strong>.</p>`;
const asRole = markup`as ${slot('article')} <strong>${slot('role')}</strong>`;
const invitedEmail = markup`<strong>${slot('email')}</strong>`;
const closeHint = markup`<span data-nowhere hidden>You can close this page.</span>`;
const signInPath = siblingPath(LOGIN_PATH);
/** The script adds the return address. */
const signInToJoin = markup`<a class="primary" href="${signInPath}" data-return>Sign in to join</a>`;

const newcomerView = (minLength: number): Markup =>
  view(
    'newcomer',
    markup`Join ${company}`,
    markup`
<p class="lead">${invited} ${asRole}. Choose a password to create your account.</p>
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
<p class="lead">${invited} ${asRole}. You already have an account: sign in as ${invitedEmail} to join. If you've never set a password, choose <em>Forgot your password?</em> on the sign-in page.</p>
${expiry}
<div class="actions">${signInToJoin}</div>`,
)}
${view(
  'join',
  markup`Join ${company}`,
  markup`
<p class="lead">${invited} ${asRole}. You are signed in as ${invitedEmail}.</p>
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
<p class="lead">You have joined ${asRole}. ${closeHint}</p>
<div class="actions">${continueLink}</div>`,
)}
${view(
  'joined-signed-out',
  markup`Welcome to ${company}`,
  markup`
<p class="lead">You have joined ${asRole}. Your account needs two-step verification: sign in to set it up.</p>
<div class="actions">${linkButton(signInPath, 'Sign in', 'primary')}</div>`,
)}
${view(
  'member',
  markup`You're already a member of ${company}`,
  markup`
<p class="lead">Nothing has changed. ${closeHint}</p>
<div class="actions">${continueLink}</div>`,
)}`;

const askAgain = markup`<p class="lead">Ask the person who invited you for a new invitation.</p>`;

const closedViews = markup`
${view('expired', 'This invitation has expired', askAgain)}
${view('withdrawn', 'This invitation was withdrawn', askAgain)}
${view('cancelled', 'This invitation was cancelled', markup`<p class="lead">The person who invited you cancelled it. If you think that's a mistake, ask them for a new one.</p>`)}
${view(
  'accepted',
  'This invitation has already been accepted',
  markup`
<p class="lead">You can sign in as usual.</p>
<div class="actions">${linkButton(signInPath, 'Sign in', 'primary')}</div>`,
)}
${view(
  'mailbox',
  'Confirm your email first',
  markup`
<p class="lead">There's already an account for ${invitedEmail}, but its email hasn't been confirmed. If the account is yours, sign in to join. If not, or if you're not sure, reset its password, then open the invitation link again.</p>
<div class="actions">${signInToJoin}${linkButton(siblingPath(RESET_PATH), 'Reset password', 'secondary')}</div>`,
)}
${view('unknown', "This link doesn't work", markup`<p class="lead">It's incomplete, or a newer email has replaced it. Open the link in the newest email, or ask for a new invitation.</p>`)}
${view('closed', 'This invitation cannot be accepted', markup`<p class="lead">${slot('reason')}</p>`)}`;

const tryAgain = markup`<div class="actions">${actionButton('retry', 'Try again', 'primary')}</div>`;

const troubleViews = markup`
${view('rate-limited', 'Too many attempts', markup`<p class="lead">${slot('reason')}</p>${tryAgain}`)}
${view('unreachable', 'The service cannot be reached', markup`<p class="lead">Please try again in a few minutes.</p>${tryAgain}`)}`;
