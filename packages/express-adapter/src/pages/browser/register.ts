import { registerScriptMessages as messages } from '../messages/en/register.js';
import { onAction } from './actions.js';
import { client } from './client.js';
import { element, elements, fill } from './dom.js';
import { failureText } from './failure-text.js';
import type { Failure } from './failure.js';
import { onSubmit, showFailure, showNotice, type FormFields } from './form.js';
import { enablePasswordToggles } from './password-toggle.js';
import { Resend } from './resend.js';
import { show } from './views.js';

const form = element('form', HTMLFormElement);
const email = element('#email', HTMLInputElement);
const password = element('#password', HTMLInputElement);
const taken = element('[data-taken]', HTMLElement);
const pendingView = document.body.dataset.pending ?? 'waiting';

async function register(fields: FormFields): Promise<void> {
  taken.hidden = true;
  const [fullName, email, password] = ['fullName', 'email', 'password'].map((name) => fields.text(name));
  const { data, error } = await client.request('POST', '/auth/register', {
    body: { fullName: fullName ?? '', email: email ?? '', password: password ?? '' },
  });
  if (error) showRefusal(error);
  else proceed(data);
}

function proceed({ email, status }: { email: string; status: 'pending' | 'approved' }): void {
  password.value = '';
  fill('email', email);
  resend?.startCountdown();
  show(status === 'approved' ? 'done' : pendingView);
}

function showRefusal(failure: Failure): void {
  if ('reason' in failure && failure.reason === 'email_taken') {
    taken.hidden = false;
    email.focus();
    email.select();
  } else showFailure(form, failure);
}

/** Not every registration is mailed. */
const resend = elements('[data-action=resend]').length > 0 ? createResend() : undefined;

function createResend(): Resend {
  const view = element(`[data-view=${pendingView}]`, HTMLElement);
  return new Resend(element('[data-action=resend]', HTMLButtonElement), {
    send: async () => {
      showNotice(view, '');
      const body = { email: email.value };
      const { error } = await client.request('POST', '/auth/email/verify/resend', { body });
      if (error) showNotice(view, failureText(error));
      return error === undefined;
    },
    resent: messages.resent,
  });
}

enablePasswordToggles();
onSubmit(form, register);
form.addEventListener('input', () => (taken.hidden = true));
onAction('again', () => {
  show('form');
  email.focus();
  email.select();
});
