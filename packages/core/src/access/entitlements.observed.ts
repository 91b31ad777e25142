import type { Observer } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import type { Entitlements, EntitlementSource } from './entitlements.js';

/** Reports the duration and outcome of each look-up; `denied` is an unknown company. */
export class ObservedEntitlements implements EntitlementSource {
  readonly #source: EntitlementSource;
  readonly #observer: Observer;

  constructor(source: EntitlementSource, observer: Observer) {
    this.#source = source;
    this.#observer = observer;
  }

  fetch(companyId: string): Promise<Entitlements> {
    const askedAt = performance.now();
    return reportOutcome(this.#source.fetch(companyId), (outcome) =>
      this.#observer.entitlements(outcome, (performance.now() - askedAt) / 1000),
    );
  }
}
