import type { Histogram, Registry } from 'prom-client';
import { makeGauge, makeHistogram } from './instruments.js';
import { serviceDefinitions as definitions } from './service-definitions.js';

/** A request that was answered. */
export interface AnsweredRequest {
  /** The pattern of its route, never the path itself: paths hold ids. */
  route: string;
  /** In capitals. */
  method: string;
  status: number;
}

/** Counts and times requests. Whoever serves them calls `begin` and `end`, once each. */
export class HttpMetrics {
  readonly #duration: Histogram<'route' | 'method' | 'status'>;
  #inFlight = 0;

  constructor(registry: Registry) {
    this.#duration = makeHistogram(registry, definitions.httpDuration);
    makeGauge(registry, definitions.httpInFlight, (gauge) => gauge.set(this.#inFlight));
  }

  /** @returns what `end` wants to know: the time, in milliseconds of the monotonic clock. */
  begin(): number {
    this.#inFlight += 1;
    return performance.now();
  }

  end(beganAt: number, { route, method, status }: AnsweredRequest): void {
    this.#inFlight -= 1;
    this.#duration.observe({ route, method, status }, (performance.now() - beganAt) / 1000);
  }
}
