import { secondFactorScriptMessages as messages } from '../messages/en/second-factor.js';
import { onAction } from './actions.js';
import { copy } from './copy.js';
import { element, fill } from './dom.js';
import { pageData } from './page-data.js';
import { show } from './views.js';

/** The view with new recovery codes, which can be copied, downloaded and printed. */
export class RecoveryCodes {
  readonly #list = element('[data-recovery-codes]', HTMLElement);
  #codes: readonly string[] = [];
  #email = '';

  constructor() {
    onAction('copy-recovery-codes', () => copy(this.#codes.join('\n'), this.#list));
    onAction('download-recovery-codes', () => this.#download());
    onAction('print-recovery-codes', () => window.print());
  }

  show(codes: readonly string[], email: string): void {
    this.#codes = codes;
    this.#email = email;
    fill('copy-status', '');
    this.#list.replaceChildren(...codes.map(itemOf));
    show('recovery-codes');
  }

  clear(): void {
    this.#codes = [];
    this.#list.replaceChildren();
  }

  #download(): void {
    const lines = [messages.codesOf(this.#email, pageData.brand), messages.eachOnce, '', ...this.#codes, ''];
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/plain' }));
    link.download = messages.fileName;
    link.click();
    // The browser has taken the content by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

function itemOf(code: string): HTMLElement {
  const item = document.createElement('li');
  item.textContent = code;
  return item;
}
