import { elements } from './dom.js';

/** Shows one state of the page. Its first field or heading gets the focus, so that screen readers announce the change. */
export function show(name: string): void {
  for (const view of elements('[data-view]')) {
    const isWanted = view.dataset.view === name;
    const wasHidden = view.hidden;
    view.hidden = !isWanted;
    if (isWanted && wasHidden) (elements('[data-focus]', view)[0] ?? view.querySelector('h1'))?.focus();
  }
}
