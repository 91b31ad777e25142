import { elements } from './dom.js';
import { leaveFor } from './session.js';

/** Shows the way on, where there is one; else that there is nothing left to do. */
export function offerWayOn(target: string | undefined): void {
  for (const place of elements('[data-nowhere]')) place.hidden = target !== undefined;
  if (target === undefined) return;
  for (const link of elements('a[data-continue]')) {
    link.setAttribute('href', target);
    link.hidden = false;
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void leaveFor(target);
    });
  }
}
