import type { InboxEntry } from '../dev-mail-entry.js';
import { element, elements } from './dom.js';

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Enables the tabs of the page: one panel is shown, and arrow keys select (ARIA Authoring Practices, Tabs). */
function enableTabs(): void {
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

/** An answer within this time changes nothing visible. */
const VISIBLE_AFTER_MS = 200;

/**
 * Runs `work`, one run at a time, and marks an element as busy meanwhile. Its button shows a spinner, and the text of its
 * `data-busy` if it has one.
 */
async function busy(element: HTMLElement, work: () => Promise<void> | void): Promise<void> {
  if (element.getAttribute('aria-busy') === 'true') return;
  element.setAttribute('aria-busy', 'true');
  const restore = showBusyText(element);
  try {
    await work();
  } finally {
    restore();
    element.removeAttribute('aria-busy');
  }
}

function showBusyText(element: HTMLElement): () => void {
  const button =
    element instanceof HTMLButtonElement ? element : element.querySelector<HTMLElement>('[type=submit]');
  const text = button?.dataset.busy;
  if (!button || text === undefined) return () => undefined;
  const label = button.textContent;
  const timer = setTimeout(() => (button.textContent = text), VISIBLE_AFTER_MS);
  return () => {
    clearTimeout(timer);
    button.textContent = label;
  };
}

/** Runs `work` when a button with this `data-action` is pressed, one run at a time. */
function onAction(action: string, work: () => Promise<void> | void): void {
  for (const button of elements(`[data-action="${action}"]`)) {
    button.addEventListener('click', () => void busy(button, work));
  }
}

const REFRESH_MS = 3_000;

/** The list of mails, which follows the inbox and the search. */
class Inbox {
  readonly #list = element('.mails', HTMLElement);
  readonly #empty = element('.empty', HTMLElement);
  readonly #search = element('#search', HTMLInputElement);
  readonly #isAutomatic = element('#auto-refresh', HTMLInputElement);
  #shown = '';

  constructor() {
    onAction('refresh', () => this.#refresh());
    this.#search.addEventListener('input', () => void this.#refresh());
    setInterval(() => {
      if (this.#isAutomatic.checked && document.visibilityState === 'visible') void this.#refresh();
    }, REFRESH_MS);
    this.#count(this.#list.childElementCount);
  }

  async #refresh(): Promise<void> {
    const { value } = this.#search;
    const mails = await fetchMails(this.#path, value);
    // A response to an earlier search comes too late.
    if (mails && value === this.#search.value) this.#show(mails);
  }

  #show(mails: readonly InboxEntry[]): void {
    const content = JSON.stringify(mails);
    if (content === this.#shown) return;
    this.#shown = content;
    const focused = document.activeElement?.getAttribute('href');
    this.#list.replaceChildren(...mails.map((mail) => itemOf(mail, this.#path)));
    if (focused) this.#list.querySelector<HTMLElement>(`a[href="${focused}"]`)?.focus();
    this.#empty.hidden = mails.length > 0;
    this.#count(mails.length);
  }

  #count(mails: number): void {
    fill('count', mails === 1 ? '1 mail, newest first' : `${mails} mails, newest first`);
  }

  get #path(): string {
    return this.#list.dataset.path ?? '';
  }
}

/** Returns the mails, or undefined while the service is unavailable, such as during a restart. */
async function fetchMails(path: string, search: string): Promise<InboxEntry[] | undefined> {
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(`${path}?search=${encodeURIComponent(search)}`, { headers });
    return response.ok ? ((await response.json()) as { mails: InboxEntry[] }).mails : undefined;
  } catch {
    return undefined;
  }
}

function itemOf({ id, to, subject, kind, preview, receivedAt }: InboxEntry, path: string): HTMLElement {
  const link = withText('a', subject);
  link.setAttribute('href', `${path}/${id}`);
  const time = withText('time', localTime(receivedAt));
  time.setAttribute('datetime', receivedAt);
  time.className = 'quiet';
  const words = withText('p', ` ${preview}`);
  words.className = 'quiet';
  words.prepend(withText('code', kind));
  const item = document.createElement('li');
  item.append(link, time, withText('p', to), words);
  return item;
}

function withText(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Returns a time in the zone of the browser; the page has it in UTC. */
const localTime = (time: string): string =>
  new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' });

for (const time of document.querySelectorAll('time')) time.textContent = localTime(time.dateTime);
enableTabs();
if (document.querySelector('.mails')) new Inbox();

/** Sets the text of every element with `data-text="name"`. */
function fill(name: string, text: string): void {
  for (const each of elements(`[data-text="${name}"]`)) each.textContent = text;
}
