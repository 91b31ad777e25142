import { actionButton, linkButton, slot, view } from './controls.js';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { siblingPath, LOGIN_PATH, RESET_PATH } from './page-paths.js';

type Texts = Messages['acceptInvitation'];

/** Returns the states of an invitation that cannot be accepted, for good or at the moment. Each leads on. */
export const closedInvitationViews = (texts: Texts): Markup => markup`
${view('expired', texts.expiredHeading, closed(texts, texts.askAgain))}
${view('withdrawn', texts.withdrawnHeading, closed(texts, texts.askAgain))}
${view('cancelled', texts.cancelledHeading, closed(texts, texts.cancelled))}
${view(
  'accepted',
  texts.acceptedHeading,
  markup`
<p class="lead">${texts.accepted}</p>
<div class="actions">${linkButton(signInPath, texts.signIn, 'primary')}</div>`,
)}
${mailboxView(texts)}
${view('unknown', texts.unknownHeading, closed(texts, texts.unknown))}
${view('closed', texts.closedHeading, closed(texts, slot('reason')))}
${view('rate-limited', texts.limitedHeading, markup`<p class="lead">${slot('reason')}</p>${tryAgain(texts)}`)}
${view('unreachable', texts.unreachableHeading, markup`<p class="lead">${texts.unreachable}</p>${tryAgain(texts)}`)}`;

const signInPath = siblingPath(LOGIN_PATH);

const closed = ({ toSignIn }: Texts, text: string | Markup): Markup => markup`
<p class="lead">${text}</p>
<div class="actions">${linkButton(signInPath, toSignIn, 'secondary')}</div>`;

/** The script adds the return address to the link. */
const mailboxView = (texts: Texts): Markup =>
  view(
    'mailbox',
    texts.mailboxHeading,
    markup`
<p class="lead">${fillIn(texts.mailbox, { email: markup`<strong>${slot('email')}</strong>` })}</p>
<div class="actions"><a class="primary" href="${signInPath}" data-return>${texts.signInToJoin}</a>${linkButton(siblingPath(RESET_PATH), texts.resetPassword, 'secondary')}</div>`,
  );

const tryAgain = ({ tryAgain: label }: Texts): Markup =>
  markup`<div class="actions">${actionButton('retry', label, 'primary')}</div>`;
