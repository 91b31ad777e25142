import type { Counter, Histogram, Registry } from 'prom-client';
import { makeCounter, makeGauge, makeHistogram } from './instruments.js';
import { serviceDefinitions as definitions } from './service-definitions.js';

/** The status of unforeseen failures; all others have a status of their own. */
const UNFORESEEN = 500;

/** A request and its status. */
interface AnsweredRequest {
  /** The pattern of its route, never the path itself: paths hold ids. */
  route: string;
  /** In capitals. */
  method: string;
  status: number;
}

/** Counts and times requests. The server calls `announce` for each route, and `begin` and `end` for each request. */
export class HttpMetrics {
  readonly #duration: Histogram<'route' | 'method' | 'status'>;
  readonly #unforeseen: Counter<'route'>;
  readonly #unknownAddresses: Counter;
  #inFlight = 0;

  constructor(registry: Registry) {
    this.#duration = makeHistogram(registry, definitions.httpDuration);
    this.#unforeseen = makeCounter(registry, definitions.unforeseenFailures);
    this.#unknownAddresses = makeCounter(registry, definitions.unknownAddresses);
    makeGauge(registry, definitions.httpInFlight, (gauge) => gauge.set(this.#inFlight));
  }

  /** Puts the counters of a route at 0, so that its first failure shows as an increase. */
  announce(route: string): void {
    this.#unforeseen.inc({ route }, 0);
  }

  /** Counts a request from a client whose address is unknown. */
  countUnknownAddress(): void {
    this.#unknownAddresses.inc();
  }

  /** @returns the start time for `end`, in milliseconds of the monotonic clock. */
  begin(): number {
    this.#inFlight += 1;
    return performance.now();
  }

  end(beganAt: number, { route, method, status }: AnsweredRequest): void {
    this.#inFlight -= 1;
    this.#duration.observe({ route, method, status }, (performance.now() - beganAt) / 1000);
    if (status === UNFORESEEN) this.#unforeseen.inc({ route });
  }
}
