import { resetPasswordScriptMessages as messages } from '../messages/en/reset-password.js';
import { onAction } from './actions.js';
import { announce } from './announce.js';
import { client } from './client.js';
import { countDown } from './count-down.js';
import { element, fill } from './dom.js';
import { failureText } from './failure-text.js';
import { faultsOf, isLimited, secondsToWait } from './failure.js';
import { onSubmit, showFailure, showNotice, type FormFields } from './form.js';
import { keepLanguage } from './keep-language.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { enablePasswordFields } from './password-fields.js';
import { tabSession } from './tab-session.js';
import { show } from './views.js';

const TOKEN_KEY = 'latchkey.password-reset';
/** A mail takes a while, and the service limits requests. */
const SEND_AGAIN_AFTER_SECONDS = 30;

const token = takeToken(TOKEN_KEY);
const requestForm = element('[data-form=request]', HTMLFormElement);
const passwordForm = element('[data-form=password]', HTMLFormElement);
const emailField = element('#email', HTMLInputElement);
const sentView = element('[data-view=sent]', HTMLElement);
const sendAgainButton = element('[data-action=send-again]', HTMLButtonElement);
const sendAgainLabel = sendAgainButton.textContent;

const requestMail = async (email: string) =>
  (await client.request('POST', '/auth/password-reset/request', { body: { email } })).error;

async function request(fields: FormFields): Promise<void> {
  const email = fields.text('email');
  const error = await requestMail(email);
  if (error) {
    showFailure(requestForm, error);
    return;
  }
  fill('email', email);
  showNotice(sentView, '');
  show('sent');
  waitToSendAgain(SEND_AGAIN_AFTER_SECONDS);
}

async function sendAgain(): Promise<void> {
  showNotice(sentView, '');
  const error = await requestMail(emailField.value);
  if (error) showNotice(sentView, failureText(error));
  else showNotice(sentView, messages.sentAgain, 'success');
  if (!error) waitToSendAgain(SEND_AGAIN_AFTER_SECONDS);
  else if (isLimited(error)) waitToSendAgain(Math.max(secondsToWait(error), 1));
}

let stopCounting = (): void => undefined;

function waitToSendAgain(seconds: number): void {
  stopCounting();
  sendAgainButton.disabled = true;
  stopCounting = countDown(
    seconds,
    (left) => (sendAgainButton.textContent = messages.sendAgainIn(left)),
    () => {
      sendAgainButton.disabled = false;
      sendAgainButton.textContent = sendAgainLabel;
      announce(sendAgainLabel);
    },
  );
}

async function confirm(token: string, fields: FormFields): Promise<void> {
  const body = { token, newPassword: fields.text('newPassword') };
  const { error } = await client.request('POST', '/auth/password-reset/confirm', { body });
  if (!error) {
    forgetToken(TOKEN_KEY);
    tabSession.clear();
    show('done');
  } else if (faultsOf(error).some(({ pointer }) => pointer === '/token')) {
    forgetToken(TOKEN_KEY);
    show('unusable');
  } else showFailure(passwordForm, error);
}

keepLanguage();
enablePasswordFields(() => '');
onSubmit(requestForm, request);
if (token !== undefined) onSubmit(passwordForm, (fields) => confirm(token, fields));
onAction('again', () => show('request'));
onAction('send-again', sendAgain);
show(token === undefined ? 'request' : 'password');
