import { fill } from './dom.js';

/** Copies a text and announces it. If the browser does not allow that, selects the element with the text. */
export async function copy(text: string, shownIn: HTMLElement): Promise<void> {
  fill('copy-status', '');
  try {
    await navigator.clipboard.writeText(text);
    fill('copy-status', 'Copied.');
  } catch {
    getSelection()?.selectAllChildren(shownIn);
    fill('copy-status', 'Selected. Copy it with the menu of your browser.');
  }
}
