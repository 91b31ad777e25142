import type { SignInOutcome } from '@latchkey/client';
import { loginScriptMessages as messages } from '../messages/en/login.js';
import { onAction } from './actions.js';
import { enableCapsLockHints } from './caps-lock.js';
import { client } from './client.js';
import { showContinueLinks } from './continue-link.js';
import { element, elements, fill } from './dom.js';
import { UNREACHABLE } from './failure-text.js';
import { onSubmit, showFailure, showNotice, type FormFields } from './form.js';
import { keepLanguage } from './keep-language.js';
import { pageData } from './page-data.js';
import {
  isDismissed,
  offerPasskeyAutofill,
  passkeysWork,
  signInWithPasskey,
  stopOffering,
  type PasskeyOutcome,
} from './passkey.js';
import { enablePasswordToggles } from './password-toggle.js';
import { rememberedEmail } from './remembered-email.js';
import { SecondStep } from './second-step.js';
import { fetchMe, mayHaveSession, navigateTo, type Me } from './session.js';
import { show } from './views.js';

const form = element('form', HTMLFormElement);
const signedInView = element('[data-view=signed-in]', HTMLElement);
const target = pageData.returnTo ?? pageData.webApp;

const email = element('#email', HTMLInputElement);
const password = element('#password', HTMLInputElement);

/** The email of the sign-in that is under way; empty for a passkey. */
let signingInAs = '';

const secondStep = new SecondStep({ signedIn: finish, expired: askForPasswordAgain, left: startAgain });

async function start(): Promise<void> {
  keepLanguage();
  enablePasswordToggles();
  enableCapsLockHints();
  fillInRememberedEmail();
  onSubmit(form, signIn);
  onAction('sign-out', signOut);
  onAction('passkey', pickPasskey);
  onAction('other-account', startAgain);
  if (mayHaveSession()) show('checking');
  const me = await fetchMe();
  if (me) {
    showSignedIn(me);
    return;
  }
  show('form');
  enablePasskeys();
}

async function signIn(fields: FormFields): Promise<void> {
  signingInAs = fields.text('email');
  const { data, error } = await client.signIn({ email: signingInAs, password: fields.text('password') });
  if (!error) await proceed(data);
  else {
    showFailure(form, error);
    if (error.code === 'unauthorized') {
      password.focus();
      password.select();
    }
  }
}

function fillInRememberedEmail(): void {
  const remembered = rememberedEmail.read();
  // A value that the browser restored or a password manager filled in stays.
  if (email.value === '') email.value = remembered;
  for (const control of elements('[data-remembered]')) control.hidden = remembered === '';
}

async function proceed(outcome: SignInOutcome): Promise<void> {
  if (outcome.status === 'signed_in') await finish();
  else if (secondStep.start(outcome.secondFactor, email.value)) {
    stopOffering();
    password.value = '';
  } else showNotice(form, messages.stepNotOffered);
}

/** Shows the form with a notice, which may concern a later step. */
function showForm(notice: string): void {
  show('form');
  showNotice(form, notice);
}

function askForPasswordAgain(): void {
  showForm(messages.stepExpired);
  password.focus();
  enablePasskeys();
}

/** Starts for another account, of which nothing is known. */
function startAgain(): void {
  rememberedEmail.clear();
  form.reset();
  fillInRememberedEmail();
  showForm('');
  email.focus();
  enablePasskeys();
}

async function finish(): Promise<void> {
  stopOffering();
  if (!mayHaveSession()) {
    showForm(messages.cookiesBlocked);
    return;
  }
  if (signingInAs !== '') rememberedEmail.write(signingInAs);
  if (target !== undefined) await navigateTo(target);
  const me = await fetchMe();
  if (me) showSignedIn(me);
  else showForm(UNREACHABLE);
}

function showSignedIn({ email }: Me): void {
  fill('email', email);
  showContinueLinks(target);
  show('signed-in');
}

async function signOut(): Promise<void> {
  await client.signOut();
  if (mayHaveSession()) {
    showNotice(signedInView, messages.stillSignedIn);
  } else show('signed-out');
}

function enablePasskeys(): void {
  const controls = elements('[data-passkey]');
  for (const control of controls) control.hidden = !passkeysWork();
  if (controls.length > 0 && passkeysWork()) void offerPasskeys();
}

async function offerPasskeys(): Promise<void> {
  const outcome = await offerPasskeyAutofill();
  if (outcome) await settle(outcome);
}

async function pickPasskey(): Promise<void> {
  showNotice(form, '');
  const outcome = await signInWithPasskey();
  if (outcome.error && isDismissed(outcome.error)) showNotice(form, messages.noPasskey, 'info');
  else await settle(outcome);
  // The dialog of the browser has ended the suggestions.
  if (!outcome.ok) void offerPasskeys();
}

async function settle({ data, error }: PasskeyOutcome): Promise<void> {
  if (!error) {
    signingInAs = '';
    await proceed(data);
  } else if (error.code === 'unauthorized') {
    showNotice(form, messages.passkeyFailed);
  } else if (!isDismissed(error)) showFailure(form, error);
}

void start();
