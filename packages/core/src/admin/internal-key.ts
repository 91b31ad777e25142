import { matchesAnySecret } from '../kernel/secret.js';

/** The keys by which other services prove themselves on machine routes. */
export class InternalKey {
  readonly #accepted: readonly string[];

  /** @param accepted one key, or two while keys are being rotated; none refuses everybody. */
  constructor(accepted: readonly string[]) {
    this.#accepted = accepted;
  }

  /** True if there is a key that could be guessed. */
  get isSet(): boolean {
    return this.#accepted.length > 0;
  }

  /** In constant time for a given number of accepted keys. */
  accepts(presented: string): boolean {
    return presented !== '' && matchesAnySecret(presented, this.#accepted);
  }
}
