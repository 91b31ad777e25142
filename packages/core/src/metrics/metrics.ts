import { Registry } from 'prom-client';
import type { Observer } from '../kernel/observer.js';
import { EventLoopWatch } from './event-loop-metrics.js';
import { HttpMetrics } from './http-metrics.js';
import { MetricsObserver } from './metrics-observer.js';
import { addProcessGauges } from './process-gauges.js';
import { addServiceGauges, type MeasuredParts } from './service-gauges.js';

/**
 * What one auth measures, for Prometheus. Nothing in it names a person, an address, a company or a secret.
 * @example
 * ```ts
 * const text = await auth.metrics.text();
 * ```
 */
export class Metrics {
  /** Of this auth alone; with prom-client's `Registry.merge` a host app adds its own. */
  readonly registry = new Registry();
  readonly observer: Observer;
  /** For whoever serves the routes. */
  readonly http: HttpMetrics;
  #eventLoop: EventLoopWatch | undefined;

  constructor() {
    this.observer = new MetricsObserver(this.registry);
    this.http = new HttpMetrics(this.registry);
  }

  /** Begins to measure what runs by itself; until `close`. */
  watch(parts: MeasuredParts): void {
    addServiceGauges(this.registry, parts);
    addProcessGauges(this.registry);
    this.#eventLoop = new EventLoopWatch(this.registry);
  }

  /** `text/plain` in the version of the exposition format that `text` speaks. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** Everything in Prometheus' text format. A dependency that is away leaves a gap, and takes a second at most. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Ends what runs by itself; what was counted can still be read. */
  close(): void {
    this.#eventLoop?.stop();
  }
}
