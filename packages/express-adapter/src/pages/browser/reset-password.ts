import { onAction } from './actions.js';
import { call } from './api.js';
import { element, fill } from './dom.js';
import { onSubmit, showFailure, type FormFields } from './form.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { enablePasswordToggles } from './password-toggle.js';
import { forgetSession } from './session.js';
import { show } from './views.js';

const TOKEN_KEY = 'latchkey.password-reset';
const token = takeToken(TOKEN_KEY);
const requestForm = element('[data-form=request]', HTMLFormElement);
const passwordForm = element('[data-form=password]', HTMLFormElement);

async function request(fields: FormFields): Promise<void> {
  const email = fields.text('email');
  const result = await call('POST', '/auth/password-reset/request', { body: { email } });
  if (!result.ok) {
    showFailure(requestForm, result);
    return;
  }
  fill('email', email);
  show('sent');
}

async function confirm(fields: FormFields): Promise<void> {
  const body = { token, newPassword: fields.text('newPassword') };
  const result = await call('POST', '/auth/password-reset/confirm', { body });
  if (result.ok) {
    forgetToken(TOKEN_KEY);
    forgetSession();
    show('done');
  } else if (result.fields.some(({ pointer }) => pointer === '/token')) {
    forgetToken(TOKEN_KEY);
    show('unusable');
  } else showFailure(passwordForm, result);
}

enablePasswordToggles();
onSubmit(requestForm, request);
onSubmit(passwordForm, confirm);
onAction('again', () => show('request'));
show(token === undefined ? 'request' : 'password');
