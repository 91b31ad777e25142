/** Runs `work` once at a time, and lets an element show that it runs. */
export async function busy(element: HTMLElement, work: () => Promise<void> | void): Promise<void> {
  if (element.getAttribute('aria-busy') === 'true') return;
  element.setAttribute('aria-busy', 'true');
  try {
    await work();
  } finally {
    element.removeAttribute('aria-busy');
  }
}
