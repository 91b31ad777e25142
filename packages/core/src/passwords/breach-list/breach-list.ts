import type { Logger } from '../../kernel/logger.js';
import type { Observer } from '../../kernel/observer.js';
import type { BreachedPasswords } from '../password-policy.js';
import { FilterFile } from './filter-file.js';
import type { FilterHeader } from './filter-header.js';
import { keysOf } from './password-key.js';

interface BreachListOptions {
  readonly path: string;
  readonly logger: Logger;
  readonly observer: Observer;
}

/**
 * The list of breached passwords. It is one defence of several: while it cannot be read, passwords are accepted by the
 * other rules, since a user must be able to replace a stolen password. Each such case is logged and counted.
 */
export class BreachList implements BreachedPasswords {
  readonly #options: BreachListOptions;
  readonly #filter: FilterFile;

  private constructor(options: BreachListOptions, filter: FilterFile) {
    this.#options = options;
    this.#filter = filter;
  }

  /** @throws UnusableListError, or the error of the operating system. */
  static async open(options: BreachListOptions): Promise<BreachList> {
    return new BreachList(options, await FilterFile.open(options.path));
  }

  get header(): FilterHeader {
    return this.#filter.header;
  }

  async includes(password: string): Promise<boolean> {
    const { path, logger, observer } = this.#options;
    try {
      const isListed = await this.#isListed(password);
      observer.breachLookup(isListed ? 'listed' : 'unlisted');
      return isListed;
    } catch (error) {
      observer.breachLookup('failed');
      const reason = error instanceof Error ? error.message : String(error);
      logger.error(
        { path, reason },
        'the list of breached passwords (PASSWORD_BREACH_LIST) cannot be read: a password was set without this check',
      );
      return false;
    }
  }

  close(): Promise<void> {
    return this.#filter.close();
  }

  async #isListed(password: string): Promise<boolean> {
    for (const key of keysOf(password)) {
      if (await this.#filter.has(key)) return true;
    }
    return false;
  }
}
