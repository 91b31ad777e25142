import { secondFactorScriptMessages as messages } from '../messages/en/second-factor.js';
import { fill } from './dom.js';

/** Copies a text and announces it. If the browser does not allow that, selects the element with the text. */
export async function copy(text: string, shownIn: HTMLElement): Promise<void> {
  fill('copy-status', '');
  try {
    await navigator.clipboard.writeText(text);
    fill('copy-status', messages.copied);
  } catch {
    getSelection()?.selectAllChildren(shownIn);
    fill('copy-status', messages.selected);
  }
}
