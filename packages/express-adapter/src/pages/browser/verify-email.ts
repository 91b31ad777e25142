import { call } from './api.js';
import { element } from './dom.js';
import { onSubmit, showFailure, type FormFields } from './form.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { enablePasswordToggles } from './password-toggle.js';
import { show } from './views.js';

const TOKEN_KEY = 'latchkey.email-verification';
const token = takeToken(TOKEN_KEY);
const form = element('[data-form=password]', HTMLFormElement);

async function verify(fields: FormFields): Promise<void> {
  const body = { token, password: fields.text('password') };
  const result = await call('POST', '/auth/email/verify', { body });
  if (result.ok) {
    forgetToken(TOKEN_KEY);
    show('done');
  } else if (result.fields.some(({ pointer }) => pointer === '/token')) {
    forgetToken(TOKEN_KEY);
    show('unusable');
  } else showFailure(form, result);
}

enablePasswordToggles();
onSubmit(form, verify);
show(token === undefined ? 'unusable' : 'password');
