import { busy } from './busy.js';
import { elements } from './dom.js';

/** Runs `work` when a button with this `data-action` is pressed, one run at a time. */
export function onAction(action: string, work: () => Promise<void> | void): void {
  for (const button of elements(`[data-action="${action}"]`)) {
    button.addEventListener('click', () => void busy(button, work));
  }
}
