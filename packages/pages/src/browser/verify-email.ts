import { onAction } from './actions.js';
import { enableCapsLockHints } from './caps-lock.js';
import { client } from './client.js';
import { element } from './dom.js';
import { failureText } from './failure-text.js';
import { faultsOf, type Failure } from './failure.js';
import { onSubmit, showFailure, showNotice, type FormFields } from './form.js';
import { keepLanguage } from './keep-language.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { enablePasswordToggles } from './password-toggle.js';
import { show } from './views.js';

const TOKEN_KEY = 'latchkey.email-verification';
const token = takeToken(TOKEN_KEY);
const form = element('[data-form=password]', HTMLFormElement);
const buttonView = element('[data-view=confirm]', HTMLElement);

const verify = async (body: { token: string; password?: string }) =>
  (await client.request('POST', '/auth/email/verify', { body })).error;

/** Sends the token alone. If the link needs the password, the page asks for it. */
async function confirm(token: string): Promise<void> {
  showNotice(buttonView, '');
  const error = await verify({ token });
  if (!error) showDone('confirmed');
  else if (concerns(error, '/password')) show('password');
  else if (concerns(error, '/token')) showDone('unusable');
  else showNotice(buttonView, failureText(error));
}

async function confirmWithPassword(token: string, fields: FormFields): Promise<void> {
  const error = await verify({ token, password: fields.text('password') });
  if (!error) showDone('done');
  else if (concerns(error, '/token')) showDone('unusable');
  else showFailure(form, error);
}

function showDone(view: string): void {
  forgetToken(TOKEN_KEY);
  show(view);
}

const concerns = (failure: Failure, field: string): boolean =>
  faultsOf(failure).some(({ pointer }) => pointer === field);

keepLanguage();
enablePasswordToggles();
enableCapsLockHints();
if (token !== undefined) {
  onAction('confirm', () => confirm(token));
  onSubmit(form, (fields) => confirmWithPassword(token, fields));
}
show(token === undefined ? 'unusable' : (document.body.dataset.firstView ?? 'confirm'));
