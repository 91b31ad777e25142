import { onAction } from './actions.js';
import { call, type Failure } from './api.js';
import { showContinueLinks } from './continue-link.js';
import { element, fill } from './dom.js';
import { failureText, waitText } from './failure-text.js';
import { onSubmit, showFailure, type FormFields } from './form.js';
import { takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { enablePasswordToggles } from './password-toggle.js';
import { callSignedIn, endSession, isSignedOut, keepSession, fetchMe, type Tokens } from './session.js';
import { show } from './views.js';

interface Preview {
  email: string;
  role: string;
  companyName?: string;
  inviterName: string | null;
  /** ISO 8601. */
  expiresAt: string;
  userExists: boolean;
}

const TOKEN_KEY = 'latchkey.invitation';
/** Kept in the tab after acceptance, so that a reload shows the state of the invitation. */
const token = takeToken(TOKEN_KEY);
const newcomerForm = element('[data-view=newcomer] form', HTMLFormElement);
const joinForm = element('[data-view=join] form', HTMLFormElement);

async function open(): Promise<void> {
  if (token === undefined) {
    show('unknown');
    return;
  }
  show('opening');
  const preview = await call<Preview>('GET', `/auth/invitations/preview?token=${encodeURIComponent(token)}`);
  if (preview.ok) await showOffer(preview.data);
  else showClosed(preview);
}

async function showOffer(invitation: Preview): Promise<void> {
  fill('company', invitation.companyName ?? 'the company');
  const role = roleText(invitation.role);
  fill('role', role);
  fill('article', /^(?:[AEIO]|U(?!ni|se))/.test(role) ? 'an' : 'a');
  fill('inviter', invitation.inviterName ?? administratorOf(invitation));
  fill('expiry', EXPIRY.format(new Date(invitation.expiresAt)));
  fill('email', invitation.email);
  const me = await fetchMe();
  if (me && me.email !== invitation.email) {
    fill('current', me.email);
    show('wrong-account');
  } else if (me) show('join');
  else if (invitation.userExists) show('account');
  else {
    element('#email', HTMLInputElement).value = invitation.email;
    show('newcomer');
  }
}

const administratorOf = ({ companyName }: Preview): string =>
  companyName === undefined ? 'An administrator' : `An administrator of ${companyName}`;

/** Formats times in the time zone of the browser. */
const EXPIRY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** Returns `ACCOUNT_MANAGER` as "Account manager". */
const roleText = (role: string): string =>
  role.charAt(0).toUpperCase() + role.slice(1).toLowerCase().replaceAll('_', ' ');

/** Accepts the invitation. If the session has ended meanwhile, the page starts again. */
async function join(form: HTMLFormElement, newcomer: object = {}): Promise<void> {
  const joined = await callSignedIn<Tokens>('POST', '/auth/invitations/accept', {
    body: { token, ...newcomer },
  });
  if (joined.ok) {
    if (joined.data.accessToken !== undefined) keepSession(joined.data);
    show('joined');
  } else if (isSignedOut(joined)) await open();
  else showJoinFailure(form, joined);
}

function newcomerOf(fields: FormFields): object {
  const fullName = fields.text('fullName');
  return { password: fields.text('password'), ...(fullName.trim() !== '' && { fullName }) };
}

/** Shows a failure in the form, or the view of a closed invitation in place of the form. */
function showJoinFailure(form: HTMLFormElement, failure: Failure): void {
  if (['conflict', 'not_found'].includes(failure.code)) showClosed(failure);
  else showFailure(form, failure);
}

function showClosed(failure: Failure): void {
  fill('reason', failure.code === 'rate_limited' ? waitText(failure) : failureText(failure));
  show(viewOf(failure));
}

/** The views of an invitation that cannot be accepted, by reason. */
const VIEW_OF_REASON: Partial<Record<string, string>> = {
  invitation_expired: 'expired',
  invitation_cancelled: 'cancelled',
  invitation_accepted: 'accepted',
  invitation_withdrawn: 'withdrawn',
  mailbox_unconfirmed: 'mailbox',
  member_already: 'member',
};

function viewOf({ code, reason }: Failure): string {
  switch (code) {
    case 'not_found':
    case 'validation_error':
      return 'unknown';
    case 'conflict':
      return VIEW_OF_REASON[reason] ?? 'closed';
    case 'rate_limited':
      return 'rate-limited';
    case 'service_unavailable':
    case 'internal_error':
      return 'unreachable';
    default:
      return 'closed';
  }
}

/** Adds this page as the return address of the sign-in links; the tab keeps the token. */
function addReturnAddresses(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-return]')) {
    const address = new URL(link.href);
    address.searchParams.set('returnTo', location.pathname);
    link.href = address.href;
  }
}

enablePasswordToggles();
addReturnAddresses();
showContinueLinks(pageData.webApp);
onSubmit(newcomerForm, (fields) => join(newcomerForm, newcomerOf(fields)));
onSubmit(joinForm, () => join(joinForm));
onAction('retry', open);
onAction('sign-out', async () => {
  await endSession();
  await open();
});
void open();
