import { PasswordHasher, type PasswordHasherOptions } from './password-hasher.js';

/** Hashes new passwords and starts the threads on first use, for processes that rarely hash. */
export class LazyPasswordHasher {
  readonly #options: PasswordHasherOptions;
  #started: Promise<PasswordHasher> | undefined;

  constructor(options: PasswordHasherOptions) {
    this.#options = options;
  }

  /** Hashes like `PasswordHasher.hash`. Throws also the errors of `PasswordHasher.start`. */
  async hash(password: string, bucket?: string): Promise<string> {
    this.#started ??= PasswordHasher.start(this.#options);
    const hasher = await this.#started;
    return hasher.hash(password, bucket);
  }

  /** Ends the threads if they were started. */
  async close(): Promise<void> {
    const hasher = await this.#started?.catch(() => undefined);
    await hasher?.close();
  }
}
