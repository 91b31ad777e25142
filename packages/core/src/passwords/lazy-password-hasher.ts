import { PasswordHasher, type PasswordHasherOptions } from './password-hasher.js';

/** Hashes new passwords, wraps imported hashes, and starts the threads on first use, for processes that rarely hash. */
export class LazyPasswordHasher {
  readonly #options: PasswordHasherOptions;
  #started: Promise<PasswordHasher> | undefined;

  constructor(options: PasswordHasherOptions) {
    this.#options = options;
  }

  /** Hashes like `PasswordHasher.hash`. Throws also the errors of `PasswordHasher.start`. */
  async hash(password: string, bucket?: string): Promise<string> {
    const hasher = await this.#hasher();
    return hasher.hash(password, bucket);
  }

  /** Wraps like `PasswordHasher.wrap`. Throws also the errors of `PasswordHasher.start`. */
  async wrap(storedHash: string, bucket?: string): Promise<string> {
    const hasher = await this.#hasher();
    return hasher.wrap(storedHash, bucket);
  }

  #hasher(): Promise<PasswordHasher> {
    this.#started ??= PasswordHasher.start(this.#options);
    return this.#started;
  }

  /** Ends the threads if they were started. */
  async close(): Promise<void> {
    const hasher = await this.#started?.catch(() => undefined);
    await hasher?.close();
  }
}
