import type { BreachedPasswords } from '../password-policy.js';
import type { BreachList } from './breach-list.js';

/** A list that is opened at the first lookup, for processes that rarely set passwords. */
export class LazyBreachList implements BreachedPasswords {
  readonly #open: () => Promise<BreachList>;
  #opened: Promise<BreachList> | undefined;

  constructor(open: () => Promise<BreachList>) {
    this.#open = open;
  }

  /** Looks the password up like `BreachList.includes`. Throws also the errors of opening the list. */
  async includes(password: string): Promise<boolean> {
    this.#opened ??= this.#open();
    return (await this.#opened).includes(password);
  }

  /** Closes the list if it was opened. */
  async close(): Promise<void> {
    const list = await this.#opened?.catch(() => undefined);
    await list?.close();
  }
}
