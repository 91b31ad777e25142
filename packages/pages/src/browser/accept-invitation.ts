import type { InvitationOutcome, ResponseData } from '@latchkey/client';
import { acceptInvitationScriptMessages as messages } from '../messages/en/accept-invitation.js';
import { onAction } from './actions.js';
import { client } from './client.js';
import { showContinueLinks } from './continue-link.js';
import { countDown } from './count-down.js';
import { element, fill } from './dom.js';
import { failureText, waitText } from './failure-text.js';
import { isLimited, isSignedOut, secondsToWait, type Failure } from './failure.js';
import { onSubmit, showFailure, type FormFields } from './form.js';
import { keepLanguage, languageQuery } from './keep-language.js';
import { takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { enablePasswordFields } from './password-fields.js';
import { SecondStep } from './second-step.js';
import { fetchMe } from './session.js';
import { show } from './views.js';

type Preview = ResponseData<'GET', '/auth/invitations/preview'>;
type Newcomer = Omit<Parameters<typeof client.invitations.accept>[0], 'token'>;

const TOKEN_KEY = 'latchkey.invitation';
/** Kept in the tab after acceptance, so that a reload shows the state of the invitation. */
const token = takeToken(TOKEN_KEY);
const newcomerForm = element('[data-view=newcomer] form', HTMLFormElement);
const secondStep = new SecondStep({
  signedIn: () => show('joined'),
  expired: () => show('joined-signed-out'),
  left: () => show('joined-signed-out'),
});
const joinForm = element('[data-view=join] form', HTMLFormElement);

async function open(): Promise<void> {
  if (token === undefined) {
    show('unknown');
    return;
  }
  stopCounting();
  show('opening');
  const { data, error } = await client.invitations.preview(token);
  if (error) showClosed(error);
  else await showOffer(data);
}

async function showOffer(invitation: Preview): Promise<void> {
  fill('company', invitation.companyName ?? messages.theCompany);
  const role = messages.role(invitation.role);
  fill('role', role);
  fill('article', messages.article(role));
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
  companyName === undefined ? messages.administrator : messages.administratorOf(companyName);

const { lang } = document.documentElement;
/** Formats times in the time zone of the browser, and as usual where the user is: en-GB and en-US differ. */
const EXPIRY = new Intl.DateTimeFormat(
  navigator.languages.find((tag) => tag.split('-')[0] === lang) ?? lang,
  {
    dateStyle: 'long',
    timeStyle: 'short',
  },
);

/** Accepts the invitation. If the session has ended meanwhile, the page starts again. */
async function join(form: HTMLFormElement, newcomer: Newcomer = {}): Promise<void> {
  const { data, error } = await client.invitations.accept({ token: token ?? '', ...newcomer });
  if (!error) proceed(data);
  else if (isSignedOut(error)) await open();
  else showJoinFailure(form, error);
}

/** The user is a member by now; a second step concerns the sign-in alone. */
function proceed(outcome: InvitationOutcome): void {
  if (outcome.status !== 'second_factor_required') show('joined');
  else if (!secondStep.start(outcome.secondFactor, outcome.invitation.email)) show('joined-signed-out');
}

function newcomerOf(fields: FormFields): Newcomer {
  const fullName = fields.text('fullName');
  return { password: fields.text('password'), ...(fullName.trim() !== '' && { fullName }) };
}

/** Shows a failure in the form, or the view of a closed invitation in place of the form. */
function showJoinFailure(form: HTMLFormElement, failure: Failure): void {
  if (['conflict', 'not_found'].includes(failure.code)) showClosed(failure);
  else showFailure(form, failure);
}

function showClosed(failure: Failure): void {
  stopCounting();
  if (isLimited(failure)) showWait(secondsToWait(failure));
  else fill('reason', failureText(failure));
  show(viewOf(failure));
}

let stopCounting = (): void => undefined;

function showWait(seconds: number): void {
  fill('reason', waitText(seconds));
  if (seconds > 0) {
    stopCounting = countDown(
      seconds,
      (left) => fill('reason', waitText(left)),
      () => void open(),
    );
  }
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

const VIEW_OF_CODE: Partial<Record<Failure['code'], string>> = {
  not_found: 'unknown',
  validation_error: 'unknown',
  service_unavailable: 'unreachable',
  internal_error: 'unreachable',
  network_failure: 'unreachable',
  unexpected_response: 'unreachable',
};

function viewOf(failure: Failure): string {
  if (isLimited(failure)) return 'rate-limited';
  const view = failure.code === 'conflict' ? VIEW_OF_REASON[failure.reason] : VIEW_OF_CODE[failure.code];
  return view ?? 'closed';
}

/** Adds this page as the return address of the sign-in links; the tab keeps the token. */
function addReturnAddresses(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-return]')) {
    const address = new URL(link.href);
    address.searchParams.set('returnTo', location.pathname + languageQuery());
    link.href = address.href;
  }
}

enablePasswordFields(() => element('#email', HTMLInputElement).value);
keepLanguage();
addReturnAddresses();
showContinueLinks(pageData.webApp);
onSubmit(newcomerForm, (fields) => join(newcomerForm, newcomerOf(fields)));
onSubmit(joinForm, () => join(joinForm));
onAction('retry', open);
onAction('sign-out', async () => {
  await client.signOut();
  await open();
});
void open();
