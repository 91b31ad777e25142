import { elements } from './dom.js';
import { navigateTo } from './session.js';

/** Shows the links to the target, or without a target the hint to close the page. */
export function showContinueLinks(target: string | undefined): void {
  for (const hint of elements('[data-nowhere]')) hint.hidden = target !== undefined;
  if (target === undefined) return;
  for (const link of elements('a[data-continue]')) {
    link.setAttribute('href', target);
    link.hidden = false;
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void navigateTo(target);
    });
  }
}
