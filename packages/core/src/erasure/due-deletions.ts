import type { Logger } from '../kernel/logger.js';
import type { UserErasure } from './user-erasure.js';

const INTERVAL_MS = 15 * 60_000;

/** Erases the accounts whose deletion is due, every 15 minutes. Replicas share the work. */
export class DueDeletions {
  readonly #deps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: { readonly userErasure: Pick<UserErasure, 'eraseDue'>; readonly logger: Logger }) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#erase();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Resolves when a running erasure has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #erase(): Promise<void> {
    try {
      await this.#deps.userErasure.eraseDue();
    } catch (error) {
      this.#deps.logger.warn(
        { err: error },
        'An account whose deletion is due could not be erased; it is tried again later.',
      );
    }
  }
}
