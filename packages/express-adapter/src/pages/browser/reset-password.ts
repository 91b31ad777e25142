import { onAction } from './actions.js';
import { client } from './client.js';
import { element, fill } from './dom.js';
import { faultsOf } from './failure.js';
import { onSubmit, showFailure, type FormFields } from './form.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { enablePasswordToggles } from './password-toggle.js';
import { tabSession } from './tab-session.js';
import { show } from './views.js';

const TOKEN_KEY = 'latchkey.password-reset';
const token = takeToken(TOKEN_KEY);
const requestForm = element('[data-form=request]', HTMLFormElement);
const passwordForm = element('[data-form=password]', HTMLFormElement);

async function request(fields: FormFields): Promise<void> {
  const email = fields.text('email');
  const { error } = await client.request('POST', '/auth/password-reset/request', { body: { email } });
  if (error) {
    showFailure(requestForm, error);
    return;
  }
  fill('email', email);
  show('sent');
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

enablePasswordToggles();
onSubmit(requestForm, request);
if (token !== undefined) onSubmit(passwordForm, (fields) => confirm(token, fields));
onAction('again', () => show('request'));
show(token === undefined ? 'request' : 'password');
