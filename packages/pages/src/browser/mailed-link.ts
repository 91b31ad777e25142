import { onAction } from './actions.js';
import { client } from './client.js';
import { element } from './dom.js';
import { failureText } from './failure-text.js';
import { faultsOf, type Failure } from './failure.js';
import { showNotice } from './form.js';
import { keepLanguage } from './keep-language.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { show } from './views.js';

/** The route of the page. All of them take a token. */
const route = document.body.dataset.route as '/auth/email/verify/reject';
const { tokenKey = '' } = document.body.dataset;
const token = takeToken(tokenKey);
const buttonView = element('[data-view=confirm]', HTMLElement);

async function confirm(token: string): Promise<void> {
  showNotice(buttonView, '');
  const { error } = await client.request('POST', route, { body: { token } });
  if (error) showRefusal(error);
  else {
    forgetToken(tokenKey);
    show('done');
  }
}

/** Shows the view of a failure that another attempt would not change, else the failure above the button. */
function showRefusal(failure: Failure): void {
  if (faultsOf(failure).some(({ pointer }) => pointer === '/token')) {
    forgetToken(tokenKey);
    show('unusable');
  } else if ('reason' in failure && failure.reason === 'email_taken') show('taken');
  else showNotice(buttonView, failureText(failure));
}

keepLanguage();
if (token !== undefined) onAction('confirm', () => confirm(token));
show(token === undefined ? 'unusable' : 'confirm');
