import { elements } from './dom.js';

/** Lets people see the password they type. It hides again when the form is sent. */
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
  button.textContent = isShown ? 'Hide' : 'Show';
  button.setAttribute('aria-label', `${button.textContent} password`);
}
