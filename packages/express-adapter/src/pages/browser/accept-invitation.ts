import { onAction } from './actions.js';
import { call, type Failure } from './api.js';
import { element, fill } from './dom.js';
import { failureText } from './failure-text.js';
import { onSubmit, showFailure, type FormFields } from './form.js';
import { takeToken } from './one-time-token.js';
import { offerWayOn } from './onward.js';
import { pageData } from './page-data.js';
import { enablePasswordToggles } from './password-toggle.js';
import { callSignedIn, endSession, isOver, keepSession, whoIsSignedIn, type Tokens } from './session.js';
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
/** It stays in the tab when it has done its work: after a reload the page can tell so. */
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
  if (preview.ok) await present(preview.data);
  else showWhyNot(preview);
}

async function present(invitation: Preview): Promise<void> {
  fill('company', invitation.companyName ?? 'the company');
  fill('role', inWords(invitation.role));
  fill('inviter', invitation.inviterName ?? administratorOf(invitation));
  fill('expiry', EXPIRY.format(new Date(invitation.expiresAt)));
  fill('email', invitation.email);
  const me = await whoIsSignedIn();
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

/** In the reader's own time zone. */
const EXPIRY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** `TENANT_SUPERADMIN` as people write it. */
function inWords(role: string): string {
  const words = role.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A session that has ended meanwhile has to begin anew: the page looks again who is there. */
async function join(form: HTMLFormElement, newcomer: object = {}): Promise<void> {
  const joined = await callSignedIn<Tokens>('POST', '/auth/invitations/accept', {
    body: { token, ...newcomer },
  });
  if (joined.ok) {
    if (joined.data.accessToken !== undefined) keepSession(joined.data);
    show('joined');
  } else if (isOver(joined)) await open();
  else tell(form, joined);
}

function newcomerOf(fields: FormFields): object {
  const fullName = fields.text('fullName');
  return { password: fields.text('password'), ...(fullName.trim() !== '' && { fullName }) };
}

/** What can be fixed in the form is told there; what closes the invitation takes its place. */
function tell(form: HTMLFormElement, failure: Failure): void {
  if (['conflict', 'not_found'].includes(failure.code)) showWhyNot(failure);
  else showFailure(form, failure);
}

function showWhyNot(failure: Failure): void {
  fill('reason', failureText(failure));
  show(viewOf(failure));
}

/** The views of the reasons why nobody can join by this invitation, or not now. */
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
      return 'away';
    default:
      return 'closed';
  }
}

/** The sign-in page brings people back here; the token waits in the tab. */
function pointSignInLinksBack(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-return]')) {
    const address = new URL(link.href);
    address.searchParams.set('returnTo', location.pathname);
    link.href = address.href;
  }
}

enablePasswordToggles();
pointSignInLinksBack();
offerWayOn(pageData.webApp);
onSubmit(newcomerForm, (fields) => join(newcomerForm, newcomerOf(fields)));
onSubmit(joinForm, () => join(joinForm));
onAction('retry', open);
onAction('sign-out', async () => {
  await endSession();
  await open();
});
void open();
