import { controlScriptMessages as messages } from '../messages/en/controls.js';
import { elements } from './dom.js';

/** Shows below each password field whether Caps Lock is on while the field has the focus. */
export function enableCapsLockHints(): void {
  for (const hint of elements('[data-caps-lock]')) {
    const input = document.getElementById(hint.dataset.capsLock ?? '');
    const show = (event: Event): void => {
      const isOn = isCapsLockOn(event);
      if (isOn !== undefined) hint.textContent = isOn ? messages.capsLock : '';
    };
    for (const type of ['keydown', 'keyup', 'pointerdown']) input?.addEventListener(type, show);
    input?.addEventListener('blur', () => (hint.textContent = ''));
  }
}

/** Returns whether Caps Lock is on; undefined for events that do not report it, such as those of password managers. */
const isCapsLockOn = (event: Event): boolean | undefined =>
  event instanceof KeyboardEvent || event instanceof MouseEvent
    ? event.getModifierState('CapsLock')
    : undefined;
