import { Registry } from 'prom-client';
import type { Observer } from '../kernel/observer.js';
import { EventLoopMetrics } from './event-loop-metrics.js';
import { HttpMetrics } from './http-metrics.js';
import { MetricsObserver } from './metrics-observer.js';
import { addProcessGauges } from './process-gauges.js';
import { addServiceGauges, type MeasuredParts } from './service-gauges.js';

/**
 * The metrics of one auth, for Prometheus. They contain no person, address, company or secret.
 * @example
 * ```ts
 * const text = await auth.metrics.text();
 * ```
 */
export class Metrics {
  /** The registry of this auth alone; a host app adds its own with prom-client's `Registry.merge`. */
  readonly registry = new Registry();
  readonly observer: Observer;
  /** The metrics of requests, for the module that serves the routes. */
  readonly http: HttpMetrics;
  #eventLoop: EventLoopMetrics | undefined;

  constructor() {
    this.observer = new MetricsObserver(this.registry);
    this.http = new HttpMetrics(this.registry);
  }

  /** Starts to measure gauges that change by themselves, until `close`. */
  watch(parts: MeasuredParts): void {
    addServiceGauges(this.registry, parts);
    addProcessGauges(this.registry);
    this.#eventLoop = new EventLoopMetrics(this.registry);
  }

  /** `text/plain` in the version of the exposition format that `text` uses. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /**
   * Returns all metrics in Prometheus' text format. An unavailable dependency leaves a gap, and takes a
   * second at most.
   */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Stops measuring; the counted values can still be read. */
  close(): void {
    this.#eventLoop?.stop();
  }
}
