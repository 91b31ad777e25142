import { call, Refusal, signIn } from './api.js';
import { element } from './dom.js';

/**
 * Asks for the password again: a new sign-in replaces the one that is too old.
 * @returns true if the user confirmed.
 */
export function confirmIdentity({ email, sessionId }) {
  const dialog = element('confirm');
  const form = element('confirm-form');
  element('confirm-email').value = email;
  show('');
  dialog.showModal();
  form.elements.password.focus();
  return new Promise((resolve) => {
    const end = (confirmed) => {
      form.reset();
      dialog.close();
      resolve(confirmed);
    };
    element('confirm-cancel').onclick = () => end(false);
    dialog.oncancel = () => end(false);
    form.onsubmit = async (event) => {
      event.preventDefault();
      try {
        await signIn(email, form.elements.password.value);
        await call('DELETE', `/auth/sessions/${sessionId}`);
        end(true);
      } catch (error) {
        show(error instanceof Refusal ? error.message : 'The service cannot be reached. Please try again.');
      }
    };
  });
}

function show(text) {
  element('confirm-notice').textContent = text;
  element('confirm-notice').hidden = text === '';
}
