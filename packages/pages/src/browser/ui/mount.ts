import { render, type VNode } from 'preact';
import { element } from '../dom.js';

/** Renders the page in place of the text that the service has sent. */
export function mount(page: VNode): void {
  const root = element('#app', HTMLElement);
  root.replaceChildren();
  render(page, root);
}
