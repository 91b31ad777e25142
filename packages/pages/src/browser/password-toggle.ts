import { controlScriptMessages as messages } from '../messages/en/controls.js';
import { elements } from './dom.js';

/** Enables the buttons that show a password. It is hidden again when the form is submitted. */
export function enablePasswordToggles(): void {
  for (const button of elements('[data-shows]')) {
    const input = document.getElementById(button.dataset.shows ?? '');
    if (!(input instanceof HTMLInputElement)) continue;
    button.addEventListener('click', () => setShown(input, button, input.type === 'password'));
    input.form?.addEventListener('submit', () => setShown(input, button, false));
  }
}

function setShown(input: HTMLInputElement, button: HTMLElement, isShown: boolean): void {
  input.type = isShown ? 'text' : 'password';
  button.textContent = isShown ? messages.hide : messages.show;
  button.setAttribute('aria-label', isShown ? messages.hidePassword : messages.showPassword);
}
