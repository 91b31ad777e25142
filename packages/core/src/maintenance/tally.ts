import type { CleanupResult } from './cleanup.js';
import type { RetentionKind } from './retention.js';

/** Counts what a clean-up removes, by kind. */
export class Tally {
  readonly #counts: Map<RetentionKind, number>;

  constructor(kinds: readonly RetentionKind[]) {
    this.#counts = new Map(kinds.map((kind) => [kind, 0]));
  }

  add(removed: ReadonlyMap<RetentionKind, number>): void {
    for (const [kind, count] of removed) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  get byKind(): CleanupResult['removed'] {
    return Object.fromEntries(this.#counts);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}
