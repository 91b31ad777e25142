import type { Logger } from '../kernel/logger.js';
import type { Decoys } from '../passwords/decoys.js';
import type { PasswordHashRepository } from '../users/password-hash-repository.js';

const REFRESH_MS = 300_000;

/** Keeps the cost of an unknown email equal to that of stored hashes: right after the start and every five minutes. */
export class DecoyRefresh {
  readonly #decoys: Decoys;
  readonly #hashes: Pick<PasswordHashRepository, 'kinds'>;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(decoys: Decoys, hashes: Pick<PasswordHashRepository, 'kinds'>, logger: Logger) {
    this.#decoys = decoys;
    this.#hashes = hashes;
    this.#logger = logger;
  }

  /**
   * Starts the refreshes. A service does not wait for the first one before it is ready: its time grows with the table up to the
   * size of the sample, and unknown emails have the configured cost until then.
   */
  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#refresh();
    }, REFRESH_MS);
    this.#timer.unref();
    this.#running = this.#refresh();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Reads the counts; the previous ones stay in use while the database is unavailable. */
  async #refresh(): Promise<void> {
    try {
      this.#decoys.replace(await this.#hashes.kinds());
    } catch (error) {
      this.#logger.warn({ err: error }, 'The parameters of stored password hashes could not be read.');
    }
  }
}
