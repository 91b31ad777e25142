import { elements } from './dom.js';

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Enables the tabs of the page: one panel is shown, and arrow keys select (ARIA Authoring Practices, Tabs). */
export function enableTabs(): void {
  for (const list of elements('[role=tablist]')) {
    list.hidden = false;
    const tabs = elements('[role=tab]', list);
    for (const [index, tab] of tabs.entries()) {
      tab.addEventListener('click', () => select(tabs, tab));
      tab.addEventListener('keydown', ({ key }) => {
        const step = STEPS[key];
        const next = step === undefined ? undefined : tabs.at((index + step) % tabs.length);
        if (!next) return;
        select(tabs, next);
        next.focus();
      });
    }
    if (tabs[0]) select(tabs, tabs[0]);
  }
}

function select(tabs: readonly HTMLElement[], selected: HTMLElement): void {
  for (const tab of tabs) {
    const isSelected = tab === selected;
    tab.setAttribute('aria-selected', String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
    if (panel) panel.hidden = !isSelected;
  }
}
