import { registerScriptMessages as messages } from '../messages/en/register.js';
import { onAction } from './actions.js';
import { client } from './client.js';
import { element, elements, fill } from './dom.js';
import { failureText } from './failure-text.js';
import { isLimited, secondsToWait, type Failure } from './failure.js';
import { onSubmit, showFailure, showNotice, type FormFields } from './form.js';
import { keepLanguage } from './keep-language.js';
import { enablePasswordFields } from './password-fields.js';
import { Resend } from './resend.js';
import { show } from './views.js';

const form = element('form', HTMLFormElement);
const email = element('#email', HTMLInputElement);
const password = element('#password', HTMLInputElement);
const taken = element('[data-taken]', HTMLElement);
const pendingView = document.body.dataset.pending ?? 'waiting';

async function register(fields: FormFields): Promise<void> {
  const body = {
    fullName: fields.text('fullName'),
    email: fields.text('email'),
    password: fields.text('password'),
    // Mails come in the language of the page.
    locale: document.documentElement.lang as 'en' | 'de',
  };
  const { data, error } = await client.request('POST', '/auth/register', { body });
  if (error) {
    showRefusal(error);
    return;
  }
  password.value = '';
  fill('email', data.email);
  resend?.wait();
  show(data.status === 'approved' ? 'done' : pendingView);
}

function showRefusal(failure: Failure): void {
  if ('reason' in failure && failure.reason === 'email_taken') {
    taken.hidden = false;
    email.focus();
    email.select();
  } else showFailure(form, failure);
}

/** Not every registration is mailed. */
const [resendButton] = elements('[data-action=resend]');
const resend =
  resendButton instanceof HTMLButtonElement
    ? new Resend(resendButton, { send: sendAgain, waits: messages.resendIn })
    : undefined;

async function sendAgain(): Promise<number | undefined> {
  const view = element(`[data-view=${pendingView}]`, HTMLElement);
  showNotice(view, '');
  const body = { email: email.value };
  const { error } = await client.request('POST', '/auth/email/verify/resend', { body });
  if (error) showNotice(view, failureText(error));
  else showNotice(view, messages.resent, 'success');
  if (!error) return undefined;
  return isLimited(error) ? Math.max(secondsToWait(error), 1) : 0;
}

keepLanguage();
enablePasswordFields(() => email.value);
onSubmit(form, register);
// The notice concerns the email that was sent.
for (const event of ['input', 'submit']) form.addEventListener(event, () => (taken.hidden = true));
onAction('again', () => {
  show('form');
  email.focus();
  email.select();
});
