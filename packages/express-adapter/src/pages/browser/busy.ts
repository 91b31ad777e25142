/** Runs `work`, one run at a time, and marks an element as busy meanwhile. */
export async function busy(element: HTMLElement, work: () => Promise<void> | void): Promise<void> {
  if (element.getAttribute('aria-busy') === 'true') return;
  element.setAttribute('aria-busy', 'true');
  try {
    await work();
  } finally {
    element.removeAttribute('aria-busy');
  }
}
