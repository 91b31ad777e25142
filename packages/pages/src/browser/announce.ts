import { element } from './dom.js';

/** Announces a text to screen readers when they are idle. It is not visible. */
export function announce(text: string): void {
  element('[data-announcer]', HTMLElement).textContent = text;
}
