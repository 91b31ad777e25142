import { matchesAnySecret } from '../kernel/secret.js';

/** Checks the keys by which other services authenticate on machine routes. */
export class InternalKey {
  readonly #accepted: readonly string[];

  /** @param accepted one key, or two while keys are being rotated; without any every request is rejected. */
  constructor(accepted: readonly string[]) {
    this.#accepted = accepted;
  }

  /** True if a key is configured that could be guessed. */
  get isSet(): boolean {
    return this.#accepted.length > 0;
  }

  /** Reports whether the key is accepted, in constant time for a given number of accepted keys. */
  accepts(presented: string): boolean {
    return presented !== '' && matchesAnySecret(presented, this.#accepted);
  }
}
