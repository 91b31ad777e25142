import {
  constants,
  monitorEventLoopDelay,
  PerformanceObserver,
  type PerformanceEntry,
} from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { makeGauge, makeHistogram } from './instruments.js';
import { processDefinitions as definitions, type GC_KINDS } from './process-definitions.js';

const SAMPLING_MS = 10;
const NANOSECONDS = 1e9;

const KIND_OF: Readonly<Record<number, (typeof GC_KINDS)[number]>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

/**
 * Measures delays of the event loop and garbage collection. The library's own default metrics do the same,
 * but cannot be stopped, and would continue in a host app after its auth is closed.
 */
export class EventLoopMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLING_MS });
  readonly #collections: PerformanceObserver;

  constructor(registry: Registry) {
    const delay = this.#delay;
    makeGauge(registry, definitions.lagP99, (gauge) => {
      if (delay.count > 0) gauge.set(delay.percentile(99) / NANOSECONDS);
    });
    makeGauge(registry, definitions.lagMax, (gauge) => {
      if (delay.count > 0) gauge.set(delay.max / NANOSECONDS);
    });
    // The last of the three resets the histogram.
    makeGauge(registry, definitions.lagMean, (gauge) => {
      if (delay.count > 0) gauge.set(delay.mean / NANOSECONDS);
      delay.reset();
    });
    const pauses = makeHistogram(registry, definitions.gc);
    this.#collections = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const kind = KIND_OF[kindNumberOf(entry)];
        if (kind) pauses.observe({ kind }, entry.duration / 1000);
      }
    });
    delay.enable();
    this.#collections.observe({ entryTypes: ['gc'] });
  }

  stop(): void {
    this.#delay.disable();
    this.#collections.disconnect();
  }
}

function kindNumberOf(entry: PerformanceEntry): number {
  const detail = 'detail' in entry ? entry.detail : undefined;
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? Number(detail.kind) : 0;
}
