import { PasswordHasher, type PasswordHasherOptions } from './password-hasher.js';

/** Hashes new passwords and starts its threads with the first one: for processes that seldom meet any. */
export class LazyPasswordHasher {
  readonly #options: PasswordHasherOptions;
  #started: Promise<PasswordHasher> | undefined;

  constructor(options: PasswordHasherOptions) {
    this.#options = options;
  }

  /** Like `PasswordHasher.hash`. @throws also what `PasswordHasher.start` throws. */
  async hash(password: string, bucket?: string): Promise<string> {
    this.#started ??= PasswordHasher.start(this.#options);
    const hasher = await this.#started;
    return hasher.hash(password, bucket);
  }

  /** Ends the threads, if any were started. */
  async close(): Promise<void> {
    const hasher = await this.#started?.catch(() => undefined);
    await hasher?.close();
  }
}
