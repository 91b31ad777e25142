import { onAction } from './actions.js';
import { call, UNREACHABLE } from './api.js';
import { showContinueLinks } from './continue-link.js';
import { element, elements, fill } from './dom.js';
import { onSubmit, showFailure, showNotice } from './form.js';
import { pageData } from './page-data.js';
import {
  offerPasskeyAutofill,
  passkeysWork,
  signInWithPasskey,
  stopOffering,
  type PasskeyOutcome,
} from './passkey.js';
import { enablePasswordToggles } from './password-toggle.js';
import {
  endSession,
  fetchMe,
  keepSession,
  mayHaveSession,
  navigateTo,
  type Me,
  type Tokens,
} from './session.js';
import { show } from './views.js';

const form = element('form', HTMLFormElement);
const signedInView = element('[data-view=signed-in]', HTMLElement);
const target = pageData.returnTo ?? pageData.webApp;

async function start(): Promise<void> {
  enablePasswordToggles();
  onSubmit(form, async (fields) => {
    const credentials = { email: fields.text('email'), password: fields.text('password') };
    const result = await call<Tokens>('POST', '/auth/login', { body: credentials });
    if (result.ok) await finish(result.data);
    else showFailure(form, result);
  });
  onAction('sign-out', signOut);
  onAction('passkey', pickPasskey);
  if (mayHaveSession()) show('checking');
  const me = await fetchMe();
  if (me) {
    showSignedIn(me);
    return;
  }
  show('form');
  enablePasskeys();
}

async function finish(tokens: Tokens): Promise<void> {
  stopOffering();
  keepSession(tokens);
  if (!mayHaveSession()) {
    showNotice(form, 'Your browser blocks the cookies of this page. Allow them, then sign in again.');
    return;
  }
  if (target !== undefined) await navigateTo(target);
  const me = await fetchMe();
  if (me) showSignedIn(me);
  else showFailure(form, UNREACHABLE);
}

function showSignedIn({ email }: Me): void {
  fill('email', email);
  showContinueLinks(target);
  show('signed-in');
}

async function signOut(): Promise<void> {
  await endSession();
  if (mayHaveSession()) {
    showNotice(
      signedInView,
      "You're still signed in because the service cannot be reached. Please try again.",
    );
  } else show('signed-out');
}

function enablePasskeys(): void {
  const controls = elements('[data-passkey]');
  for (const control of controls) control.hidden = !passkeysWork();
  if (controls.length > 0 && passkeysWork()) void offerPasskeyAutofill().then(settle);
}

async function pickPasskey(): Promise<void> {
  showNotice(form, '');
  const outcome = await signInWithPasskey();
  await settle(outcome);
  // The dialog of the browser has ended the suggestions.
  if (outcome === 'dismissed' || !outcome.ok) void offerPasskeyAutofill().then(settle);
}

async function settle(outcome: PasskeyOutcome): Promise<void> {
  if (outcome === 'dismissed') return;
  if (outcome.ok) await finish(outcome.data);
  else if (outcome.code === 'unauthorized') {
    showNotice(form, "This passkey doesn't work here. Sign in with your password instead.");
  } else showFailure(form, outcome);
}

void start();
