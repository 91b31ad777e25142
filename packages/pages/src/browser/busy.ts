/** An answer within this time changes nothing visible. */
const VISIBLE_AFTER_MS = 200;

/**
 * Runs `work`, one run at a time, and marks an element as busy meanwhile. Its button shows a spinner, and the text of its
 * `data-busy` if it has one.
 */
export async function busy(element: HTMLElement, work: () => Promise<void> | void): Promise<void> {
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
